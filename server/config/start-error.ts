import { errorMessage } from "./error-message.ts";

/** Why the server cannot start, as one sentence for the person who started it. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** A file system error in plain words. */
export function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words: Record<string, string> = {
    ENOENT: "it does not exist",
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "the file system is read-only",
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    ENOTDIR: "a part of its path is not a folder",
    EEXIST: "it is not a folder",
  };
  return words[code] ?? errorMessage(error);
}
