export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** For the log where a message could quote what somebody wrote. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
