import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { systemErrorMessage } from "./error-message.ts";

const MAX_LOGO_BYTES = 200_000;
const CONTENT_TYPES: Record<string, string> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
};

export const siteLogo = v.pipe(
  v.string(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const file = path.resolve(value);
    const contentType = CONTENT_TYPES[path.extname(file).toLowerCase()];
    const fail = (message: string) => {
      addIssue({ message });
      return NEVER;
    };
    if (contentType === undefined)
      return fail(`must be a file whose name ends in .svg, .png or .webp, not "${file}".`);
    try {
      const bytes = readFileSync(file);
      if (bytes.length === 0) return fail(`must be a picture, but "${file}" is empty.`);
      // The address contains a hash of the picture, so browsers can cache it for a year.
      const address = `/logo-${hash("sha256", bytes, "base64url").slice(0, 8)}`;
      if (bytes.length <= MAX_LOGO_BYTES) return { address, bytes, contentType };
      return fail(
        `must be at most ${MAX_LOGO_BYTES / 1_000} kB in size, but "${file}" has ${Math.ceil(bytes.length / 1_000)} kB.`,
      );
    } catch (error) {
      return fail(`cannot be read from "${file}": ${systemErrorMessage(error)}.`);
    }
  }),
);
