import { getSystemErrorMap } from "node:util";

export function errorMessage(error: unknown): string {
  // If none of a host's addresses can be reached, Node throws an AggregateError without a message. It contains one
  // error per address. The first is enough for the operator.
  if (error instanceof AggregateError && error.message === "") return errorMessage(error.errors[0]);
  if (error instanceof Error) return error.message;
  // `String` would turn an object into "[object Object]".
  return typeof error === "object" && error !== null ? error.constructor.name : String(error);
}

/** Like `errorMessage`, but for an error of the operating system only its text, without the code, the call and the path. */
export function systemErrorMessage(error: unknown): string {
  const { errno } = error as NodeJS.ErrnoException;
  const [, message] = errno === undefined ? [] : (getSystemErrorMap().get(errno) ?? []);
  return message ?? errorMessage(error);
}

/** Returns a code or a name to log instead of the error's message, which might quote a member's text. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, cause, name }: NodeJS.ErrnoException = error;
  if (typeof code === "string") return code;
  const causeName = cause === undefined ? "Error" : errorName(cause);
  return causeName === "Error" ? name : causeName;
}
