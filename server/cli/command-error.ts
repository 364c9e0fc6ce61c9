export class CommandError extends Error {
  override readonly name = "CommandError";
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}
