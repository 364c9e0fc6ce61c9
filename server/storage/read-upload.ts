import type { Bytes } from "../api/read-body.ts";
import { noContent, tooLarge } from "./storage-error.ts";

/** storage-js sends up to three parts: `cacheControl`, `metadata` and the file. */
const MAX_PARTS = 10;
const MAX_HEADER_BYTES = 2_048;
/** RFC 2046 §5.1.1 limits a boundary to 70 characters. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const FILE = /^content-disposition:.*;\s*filename=/im;

/** Returns the uploaded file. storage-js sends a Blob as a form, and other values as the body. Throws StorageError. */
export function readUpload(body: Bytes, type: string, maxBytes: number): Bytes {
  const file = /^multipart\/form-data\b/i.test(type) ? fileOf(body, type) : body;
  if (file === undefined || file.length === 0) throw noContent();
  if (file.length > maxBytes) throw tooLarge();
  return file;
}

/**
 * Returns the form's first file, without a copy. Other fields can precede it. Doesn't use `Response.formData`, which
 * builds every part: a form with thousands of them would take half a second.
 */
function fileOf(form: Bytes, type: string): Bytes | undefined {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const bytes = Buffer.from(form.buffer, form.byteOffset, form.length);
  const delimiter = `\r\n--${boundary}`;
  let start = bytes.indexOf(delimiter.slice(2));
  for (let part = 0; part < MAX_PARTS && start >= 0; part++) {
    const headerEnd = bytes.subarray(0, start + MAX_HEADER_BYTES).indexOf("\r\n\r\n", start);
    if (headerEnd < 0) return undefined;
    const end = bytes.indexOf(delimiter, headerEnd + 4);
    if (end < 0) return undefined;
    if (FILE.test(bytes.toString("latin1", start, headerEnd))) return bytes.subarray(headerEnd + 4, end);
    start = end + 2;
  }
  return undefined;
}
