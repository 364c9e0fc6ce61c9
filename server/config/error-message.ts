export function errorMessage(error: unknown): string {
  // For a host with several addresses Node throws one error around the errors of each.
  if (error instanceof AggregateError && error.message === "") return errorMessage(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** The code, else the cause's, else the name: for the log, where a message could quote what somebody wrote. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, cause, name }: NodeJS.ErrnoException = error;
  if (typeof code === "string") return code;
  return cause === undefined ? name : errorName(cause);
}
