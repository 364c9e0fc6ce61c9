import { errorMessage } from "./error-message.ts";

/** Is told to the operator as it is: one sentence that says what happened and what to do. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/** A command that was not understood. Without a message its usage is shown. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

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
    EISDIR: "it is a folder",
  };
  return words[code] ?? errorMessage(error);
}
