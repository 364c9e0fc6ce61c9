/** Why there is no backup or nothing was restored, as one line that says what to do about it. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
