/** An expected failure. The server and the commands print only its message: the problem, and what to do about it. */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}

/** A failure that a later attempt may avoid: the site, its database or its Supabase project doesn't respond in time. */
export class TemporaryError extends OperatorError {
  override readonly name = "TemporaryError";
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}
