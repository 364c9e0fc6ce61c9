/** The server cannot accept the request at the moment. Each API has its own shape for this error. */
export class AdmissionError extends Error {
  override readonly name = "AdmissionError";
  readonly status: 429 | 503 | 507;
  readonly retryAfterSeconds: number;

  constructor(status: AdmissionError["status"], message: string, retryAfterSeconds: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
