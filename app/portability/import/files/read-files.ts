import { readArticle } from "../article/read-article.ts";
import type { FileContent } from "../items.ts";
import { attempt, NotRead } from "../left-out.ts";
import { type SourceFile, unzip } from "./read-archive.ts";
import { isRecord, readRecords } from "./read-records.ts";

/** What one import may hold, so that a hostile archive cannot exhaust the browser's memory. */
const LIMITS = { files: 10_000, fileBytes: 10 * 1024 * 1024, totalBytes: 256 * 1024 * 1024 };

const MARKDOWN = /\.(?:md|markdown)$/i;
const ARCHIVE = /\.zip$/i;

/** Reads everything that can be read; what cannot is named. */
export async function readFiles(files: File[], limits = LIMITS): Promise<FileContent> {
  const content: FileContent = { items: [], profile: null, skills: null, leftOut: [] };
  const { items, leftOut } = content;
  const budget = { ...limits };
  let count = 0;
  for (const file of files) {
    const before = count;
    // They name each other, so they wait for the archive's end.
    const records = new Map<string, string>();
    try {
      for await (const source of ARCHIVE.test(file.name) ? unzip(file) : [file]) {
        if (++count > limits.files) break;
        // Some programs on Windows write their own separators.
        const path = source.name.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
        await attempt(leftOut, path, async () => {
          refuse(path);
          const text = await textOf(source, budget);
          if (MARKDOWN.test(path)) items.push(readArticle(text, path, new Date(source.lastModified)));
          else records.set(path, text);
        });
      }
    } catch {
      const reason = count > before ? "cannot be read to its end" : "is no archive that can be read";
      leftOut.push({ source: file.name, reason });
    }
    await readRecords(content, records);
    if (count > limits.files) {
      const reason = `is beyond the first ${limits.files} files: please import it separately`;
      leftOut.push({ source: "The rest", reason });
      break;
    }
  }
  return content;
}

/** Throws NotRead for a file that is not even opened. */
function refuse(path: string): void {
  const parts = path.split("/");
  if (parts.includes("..") || path.startsWith("/") || /^[a-z]:/i.test(path))
    throw new NotRead("has a path that leads out of the archive");
  if (parts.some((part) => /^\..|^__MACOSX$/.test(part))) throw new NotRead("is a hidden file");
  if (ARCHIVE.test(path)) throw new NotRead("is an archive in an archive: please choose it by itself");
  if (!MARKDOWN.test(path) && !isRecord(path)) throw new NotRead("is not Markdown");
}

/** With its byte-order mark. Takes its size from what is left of the budget. Throws NotRead. */
async function textOf(source: SourceFile, budget: typeof LIMITS): Promise<string> {
  const { fileBytes, totalBytes } = budget;
  if (source.size > fileBytes) throw new NotRead(`is larger than ${Math.floor(fileBytes / 1024 / 1024)} MB`);
  if (source.size > totalBytes)
    throw new NotRead("is more than one import can hold: please import it separately");
  budget.totalBytes -= source.size;
  const bytes = await source.arrayBuffer().catch(() => {
    throw new NotRead("is damaged or encrypted");
  });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotRead("is not UTF-8 text");
  }
}
