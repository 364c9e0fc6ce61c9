/** Thrown for a request that the server cannot accept right now. Each API turns it into a response in its own format. */
export class RetryLaterError extends Error {
  override readonly name = "RetryLaterError";
  readonly status: 429 | 503 | 507;
  readonly retryAfterSeconds: number;

  constructor(status: RetryLaterError["status"], message: string, retryAfterSeconds: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
