/** `role`: the token is genuine, but its role is not for clients. */
export type Refusal = "missing" | "expired" | "invalid" | "role";

export class AuthenticationError extends Error {
  override readonly name = "AuthenticationError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}
