import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { reason } from "./start-error.ts";

const LARGEST_LOGO_BYTES = 200_000;
const CONTENT_TYPES: Record<string, string> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
};

export interface SiteLogo {
  file: string;
  contentType: string;
}

export const siteLogo = v.pipe(
  v.string(),
  v.transform((file): SiteLogo => {
    const contentType = CONTENT_TYPES[path.extname(file).toLowerCase()] ?? "";
    return { file: path.resolve(file), contentType };
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? complaint(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);

function complaint({ file, contentType }: SiteLogo): string | undefined {
  if (contentType === "") return `must be a file that ends in .svg, .png or .webp, not "${file}".`;
  try {
    const stats = statSync(file);
    accessSync(file, constants.R_OK);
    if (!stats.isFile()) return `must be a file, and "${file}" is none.`;
    if (stats.size <= LARGEST_LOGO_BYTES) return undefined;
    return `must hold at most ${LARGEST_LOGO_BYTES / 1_000} kB, and "${file}" holds ${Math.ceil(stats.size / 1_000)}.`;
  } catch (error) {
    return `cannot be read from "${file}": ${reason(error)}.`;
  }
}
