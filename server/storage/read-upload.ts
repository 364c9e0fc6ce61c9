import { JsonError, parseObject } from "../api/inspect-json.ts";
import type { Bytes } from "../api/read-body.ts";
import { invalidRequest, noContent, tooLarge } from "./storage-error.ts";

/** storage-js sends up to three parts: `cacheControl`, `metadata` and the file. */
const MAX_PARTS = 10;
const MAX_HEADER_BYTES = 2_048;
/** RFC 2046 §5.1.1 limits a boundary to 70 characters. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const FILE = /^content-disposition:.*;\s*filename=/im;
const METADATA = /^content-disposition:.*;\s*name="?metadata"?\s*$/im;
const TYPE = /^content-type:\s*(.*?)\s*$/im;
const MAX_METADATA_BYTES = 2 * 1024;

export interface Upload {
  bytes: Bytes;
  /** The media type that the client declares, or an empty string. */
  type: string;
  /** The client's own metadata, if it sends any. */
  metadata: Record<string, unknown> | undefined;
}

/** Returns the uploaded file. storage-js sends a Blob as a form, and other values as the body. Throws StorageError. */
export function readUpload(body: Bytes, headers: Headers, maxBytes: number): Upload {
  const type = headers.get("content-type") ?? "";
  const upload = /^multipart\/form-data\b/i.test(type) ? readForm(body, type) : readBody(body, type, headers);
  if (upload.bytes.length === 0) throw noContent();
  if (upload.bytes.length > maxBytes) throw tooLarge();
  return upload;
}

function readBody(bytes: Bytes, type: string, headers: Headers): Upload {
  const metadata = headers.get("x-metadata");
  return {
    bytes,
    type,
    metadata: metadata === null ? undefined : parseMetadata(Buffer.from(metadata, "base64")),
  };
}

/**
 * Returns the form's first file, without a copy. Other fields can precede and follow it. Doesn't use `Response.formData`,
 * which builds every part: a form with thousands of them would take half a second.
 */
function readForm(form: Bytes, type: string): Upload {
  let file: { bytes: Bytes; type: string } | undefined;
  let metadata: Upload["metadata"];
  for (const { header, content } of partsOf(form, type)) {
    if (file === undefined && FILE.test(header))
      file = { bytes: content, type: TYPE.exec(header)?.[1] ?? "" };
    else if (metadata === undefined && METADATA.test(header)) metadata = parseMetadata(content);
  }
  if (file === undefined) throw noContent();
  return { ...file, metadata };
}

function* partsOf(form: Bytes, type: string): Generator<{ header: string; content: Bytes }> {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return;
  const bytes = Buffer.from(form.buffer, form.byteOffset, form.length);
  const delimiter = `\r\n--${boundary}`;
  let start = bytes.indexOf(delimiter.slice(2));
  for (let part = 0; part < MAX_PARTS && start >= 0; part++) {
    const headerEnd = bytes.subarray(0, start + MAX_HEADER_BYTES).indexOf("\r\n\r\n", start);
    if (headerEnd < 0) return;
    const end = bytes.indexOf(delimiter, headerEnd + 4);
    if (end < 0) return;
    const header = bytes.toString("latin1", start, headerEnd);
    yield { header, content: bytes.subarray(headerEnd + 4, end) };
    start = end + 2;
  }
}

function parseMetadata(json: Uint8Array): Record<string, unknown> {
  if (json.length > MAX_METADATA_BYTES)
    throw invalidRequest(`The metadata is larger than ${MAX_METADATA_BYTES} bytes`);
  try {
    return parseObject(json);
  } catch (error) {
    if (error instanceof JsonError) throw invalidRequest("The metadata must be one JSON object");
    throw error;
  }
}
