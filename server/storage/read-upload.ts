import type { Bytes } from "../api/read-body.ts";
import { noContent, tooLarge } from "./storage-error.ts";

/** Returns the uploaded file. storage-js sends a Blob as a form, and other values as the body. Throws StorageError. */
export async function readUpload(body: Bytes, type: string, maxBytes: number): Promise<Bytes> {
  const file = /^multipart\/form-data\b/i.test(type) ? await fileOf(body, type) : body;
  if (file.length === 0) throw noContent();
  if (file.length > maxBytes) throw tooLarge();
  return file;
}

/** Returns the form's file. The form can contain other fields before and after it. */
async function fileOf(form: Bytes, type: string): Promise<Bytes> {
  const parsing = new Response(form, { headers: { "content-type": type } }).formData();
  const fields = await parsing.catch(() => {
    throw noContent();
  });
  const [file] = [...fields.values()].filter((value) => typeof value !== "string");
  if (file === undefined) throw noContent();
  return new Uint8Array(await file.arrayBuffer());
}
