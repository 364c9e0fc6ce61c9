export function errorMessage(error: unknown): string {
  // For a host with several addresses, Node throws an AggregateError with one error per address.
  if (error instanceof AggregateError && error.message === "") return errorMessage(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Returns the error's code, its cause's code, or its name, for logs: the message might quote a member's text. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, cause, name }: NodeJS.ErrnoException = error;
  if (typeof code === "string") return code;
  return cause === undefined ? name : errorName(cause);
}
