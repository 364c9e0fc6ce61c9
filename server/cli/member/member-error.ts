/** The command cannot be understood, as one line that says how it is meant. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command cannot be done, as one line that says why and what to do about it. */
export class MemberError extends Error {
  override readonly name = "MemberError";
}
