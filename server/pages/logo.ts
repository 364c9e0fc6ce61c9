import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { Settings } from "../config/settings.ts";

const ONE_YEAR = "public, max-age=31536000, immutable";

export function createLogo({ siteLogo }: Pick<Settings, "siteLogo">) {
  if (!siteLogo) return undefined;
  const { bytes, contentType } = siteLogo;
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 8);
  return {
    // With a hash of the picture in it, so that browsers may keep it.
    path: `/logo-${hash}`,
    answer: (context: Context) =>
      context.body(bytes, 200, { "Content-Type": contentType, "Cache-Control": ONE_YEAR }),
  };
}
