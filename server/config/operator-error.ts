import { getSystemErrorMessage } from "node:util";
import { errorMessage } from "./error-message.ts";

/** Is told to the operator as it is: one sentence that says what happened and what to do. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function reason(error: unknown): string {
  const { errno } = error as NodeJS.ErrnoException;
  return errno === undefined ? errorMessage(error) : getSystemErrorMessage(errno);
}
