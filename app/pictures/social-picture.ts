import { PUBLIC_PATH, parsePicturePath } from "../../common/pictures/picture-path.ts";

export interface SocialPicture {
  path: string;
  width: number;
  height: number;
}

/** Social networks omit smaller pictures, or show them as a small square (Facebook, "Images in Link Shares"). */
const MIN_SIZE = { width: 600, height: 315 };

/**
 * Returns the picture that social networks show when an article is shared: the first one in its HTML, if it was uploaded
 * to this site and is large enough.
 */
export function socialPicture(html: string): SocialPicture | undefined {
  const [, src = ""] = /<img[^>]* src="([^"]*)"/.exec(html) ?? [];
  if (!src.startsWith(PUBLIC_PATH)) return undefined;
  const picture = parsePicturePath(src.slice(PUBLIC_PATH.length));
  if (!picture || picture.width < MIN_SIZE.width || picture.height < MIN_SIZE.height) return undefined;
  return { path: src, width: picture.width, height: picture.height };
}
