import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Context } from "hono";
import type { Settings } from "../config/settings.ts";

const ONE_YEAR = "public, max-age=31536000, immutable";

export interface Logo {
  /** Has a hash of the picture in it, so that browsers may keep it. */
  path: string;
  answer(context: Context): Response;
}

export async function loadLogo({ siteLogo }: Pick<Settings, "siteLogo">): Promise<Logo | undefined> {
  if (!siteLogo) return undefined;
  const bytes = await readFile(siteLogo.file);
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 8);
  return {
    path: `/logo-${hash}`,
    answer: (context) =>
      context.body(new Uint8Array(bytes), 200, {
        "Content-Type": siteLogo.contentType,
        "Cache-Control": ONE_YEAR,
      }),
  };
}
