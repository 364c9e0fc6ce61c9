/** Its message is a sentence for the member who chose the file. */
export class PictureError extends Error {
  override readonly name = "PictureError";
  /** Whether the server will reject the picture again. */
  readonly isRejected: boolean;

  constructor(message: string, isRejected = false) {
    super(message);
    this.isRejected = isRejected;
  }
}
