/** Revoking the URL sooner could cancel the download, if the browser hasn't started to read the file yet. */
const OBJECT_URL_LIFETIME_MS = 60_000;

/** Saves the blob as a file, like a link with the attribute `download`. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), OBJECT_URL_LIFETIME_MS);
}
