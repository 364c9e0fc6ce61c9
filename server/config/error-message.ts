/** Takes whatever was thrown, returns its message. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
