/** The message is a sentence to show to the member. */
export class PictureError extends Error {
  override readonly name = "PictureError";
  /** Whether a retry is pointless, because the server would reject the picture again. */
  readonly isRejected: boolean;

  constructor(message: string, isRejected = false) {
    super(message);
    this.isRejected = isRejected;
  }
}
