import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import busboy from "busboy";
import { noContent, tooLarge } from "./storage-error.ts";

/** More than enough for the fields that storage-js sends with a file. */
const MAX_FIELD_BYTES = 64 * 1024;

/**
 * A file that is too large is still read to its end if it has at most twice the allowed size: if the connection were
 * closed earlier, the client could not read the error response.
 */
const MAX_READ_FACTOR = 2;

/** Returns the uploaded file. storage-js sends a Blob as a form, and other values as the body. Throws StorageError. */
export async function readUpload(request: Request, maxBytes: number): Promise<Buffer> {
  const { body, headers } = request;
  if (body === null) throw noContent();
  const type = headers.get("content-type") ?? "";
  const isForm = /^multipart\/form-data\b/i.test(type);
  if (Number(headers.get("content-length")) > MAX_READ_FACTOR * maxBytes) throw tooLarge();
  const source = Readable.fromWeb(body as NodeReadableStream);
  const bytes = isForm ? await readForm(source, type, maxBytes) : await collect(source, maxBytes);
  if (bytes.length === 0) throw noContent();
  return bytes;
}

async function readForm(source: Readable, type: string, maxBytes: number): Promise<Buffer> {
  const limits = { files: 1, fileSize: maxBytes, fields: 10, fieldSize: MAX_FIELD_BYTES, parts: 12 };
  const form = startForm(type, limits);
  let file: Promise<Buffer> | undefined;
  form.on("file", (_name, content) => {
    file = collect(content, maxBytes).then((bytes) => {
      if (content.truncated) throw tooLarge();
      return bytes;
    });
    // Without a handler, a rejection before the caller awaits the promise would crash the process.
    file.catch(() => undefined);
  });
  await pipeline(source, form).catch(() => {
    throw noContent();
  });
  if (file === undefined) throw noContent();
  return file;
}

function startForm(type: string, limits: busboy.Limits) {
  try {
    return busboy({ headers: { "content-type": type }, limits });
  } catch {
    // busboy throws if the content type has no boundary.
    throw noContent();
  }
}

async function collect(content: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > MAX_READ_FACTOR * maxBytes) throw tooLarge();
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) throw tooLarge();
  return Buffer.concat(chunks);
}
