/** The server cannot accept a request right now. Each API has its own format for the response. */
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
