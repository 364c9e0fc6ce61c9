import { BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js/lib/zip-core-custom.js";
import type { TextFile } from "./archive.ts";

export async function zipTexts(files: TextFile[]): Promise<Blob> {
  const zip = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  for (const { path, text } of files) await zip.add(path, new TextReader(text));
  return zip.close();
}
