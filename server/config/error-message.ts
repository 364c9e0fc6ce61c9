export function errorMessage(error: unknown): string {
  // For a host with several addresses Node throws one error around the errors of each.
  if (error instanceof AggregateError && error.message === "") return errorMessage(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** For the log where a message could quote what somebody wrote. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
