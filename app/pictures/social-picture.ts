import { PUBLIC_PATH, parsePicturePath } from "./picture-path.ts";

export interface SocialPicture {
  path: string;
  width: number;
  height: number;
}

/** Below this, social networks show a small square or nothing (ogp.me, Facebook's "Images in Link Shares"). */
const LEAST = { width: 600, height: 315 };

/** The first uploaded picture in a text's HTML, if it is large enough for a social card. */
export function socialPicture(html: string): SocialPicture | undefined {
  const [, src = ""] = /<img[^>]* src="([^"]*)"/.exec(html) ?? [];
  if (!src.startsWith(PUBLIC_PATH)) return undefined;
  const picture = parsePicturePath(src.slice(PUBLIC_PATH.length));
  if (!picture || picture.width < LEAST.width || picture.height < LEAST.height) return undefined;
  return { path: src, width: picture.width, height: picture.height };
}
