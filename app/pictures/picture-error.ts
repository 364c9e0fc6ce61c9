/** An error whose message is a sentence for the member who chose the file. */
export class PictureError extends Error {
  override readonly name = "PictureError";
  /** Whether a retry is pointless, because the server would reject the picture again. */
  readonly isRejected: boolean;

  constructor(message: string, isRejected = false) {
    super(message);
    this.isRejected = isRejected;
  }
}
