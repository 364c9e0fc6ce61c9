/** Its message is a sentence for the member who chose the file. */
export class PictureError extends Error {
  override readonly name = "PictureError";
}
