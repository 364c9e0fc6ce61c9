/** What the server has no room for now. Each mount answers it in its own shape. */
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

export function busy(isOwnFault: boolean): AdmissionError {
  return isOwnFault
    ? new AdmissionError(429, "Too many requests from this address", 2)
    : new AdmissionError(503, "Too many requests at this moment", 2);
}
