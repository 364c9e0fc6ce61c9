/** The command cannot be carried out: one sentence that says why and what to do about it. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The command cannot be understood: one sentence, or the usage. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
