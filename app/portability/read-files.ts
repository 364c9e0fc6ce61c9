import type { FileContent, FileItem } from "./items.ts";
import { type Budget, LIMITS } from "./limits.ts";
import { readArticle } from "./read-article.ts";
import { parseRecord, parseRecords, toLink, toProfile, toSample, toSkill } from "./read-records.ts";
import { tooLargeFor, unzip, type ZippedFile } from "./zip-read.ts";

const MARKDOWN = /\.(?:md|markdown)$/i;
const RECORDS = /(?:^|\/)(profile|skills|useful-links|sample-code)\.json$/;
const CODE = /(?:^|\/)sample-code\/[^/]+$/;

interface ReadOptions {
  signal: AbortSignal;
  onRead(count: number): void;
  limits?: typeof LIMITS;
}

/** Reads everything that can be read; what cannot is named. */
export async function readFiles(
  files: File[],
  { signal, onRead, limits = LIMITS }: ReadOptions,
): Promise<FileContent> {
  const content: FileContent = { items: [], profile: null, skills: null, leftOut: [] };
  const budget = { ...limits };
  let count = 0;
  for (const file of files.slice(0, limits.files)) {
    const archive: ZippedFile[] = [];
    try {
      for await (const one of filesIn(file, budget)) {
        signal.throwIfAborted();
        onRead(++count);
        archive.push(one);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      const reason = archive.length > 0 ? "cannot be read to its end" : "is no archive that can be read";
      content.leftOut.push({ source: file.name, reason });
    }
    addTo(content, archive);
  }
  if (files.length > limits.files) {
    content.leftOut.push({ source: "The rest of the files", reason: `are beyond the first ${limits.files}` });
  }
  return content;
}

async function* filesIn(file: File, budget: Budget): AsyncGenerator<ZippedFile> {
  if (/\.zip$/i.test(file.name)) return yield* unzip(file, budget, refuse);
  const one = { path: file.name, modifiedAt: new Date(file.lastModified) };
  const isTooLarge = file.size > Math.min(budget.fileBytes, budget.totalBytes);
  const problem = refuse(file.name) ?? (isTooLarge ? tooLargeFor(budget) : null);
  if (problem !== null) return yield { ...one, content: { problem } };
  budget.totalBytes -= file.size;
  yield { ...one, content: new Uint8Array(await file.arrayBuffer()) };
}

/** Why a file is not even opened. */
function refuse(path: string): string | null {
  const parts = path.split(/[/\\]/);
  if (parts.includes("..") || path.startsWith("/") || /^[a-z]:/i.test(path))
    return "has a path that leads out of the archive";
  if (parts.some((part) => /^\..|^__MACOSX$/.test(part))) return "is a hidden file";
  if (/\.zip$/i.test(path)) return "is an archive in an archive: please choose it by itself";
  return MARKDOWN.test(path) || RECORDS.test(path) || CODE.test(path) ? null : "is not Markdown";
}

/** A file's text with its byte-order mark; null when it is not UTF-8. */
function decode(bytes: Uint8Array<ArrayBuffer>): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function addTo(content: FileContent, archive: ZippedFile[]): void {
  const code = new Map<string, string>();
  const manifests: { path: string; text: string }[] = [];
  for (const { path, modifiedAt, content: bytes } of archive) {
    const text = bytes instanceof Uint8Array ? decode(bytes) : null;
    const leaveOut = (reason: string) => content.leftOut.push({ source: path, reason });
    if (!(bytes instanceof Uint8Array)) leaveOut(bytes.problem);
    else if (text === null) leaveOut("is not UTF-8 text");
    else if (RECORDS.test(path)) manifests.push({ path, text });
    else if (CODE.test(path) && !MARKDOWN.test(path)) code.set(path, text);
    else attempt(() => content.items.push(readArticle(text, path, modifiedAt)), leaveOut);
  }
  for (const { path, text } of manifests) {
    attempt(
      () => addRecords(content, path, text, code),
      (reason) => content.leftOut.push({ source: path, reason }),
    );
  }
  for (const path of code.keys())
    content.leftOut.push({ source: path, reason: "is not named in sample-code.json" });
}

function addRecords(content: FileContent, path: string, text: string, code: Map<string, string>): void {
  const { leftOut } = content;
  function each<Item>(read: (value: unknown) => Item | null): Item[] {
    return parseRecords(text).flatMap((value, index) => {
      const item = read(value);
      if (item === null) {
        leftOut.push({ source: path, reason: `has an entry that cannot be read (number ${index + 1})` });
      }
      return item ?? [];
    });
  }
  function withCode(sample: FileItem<"code_samples">): FileItem[] {
    const source = path.replace(/sample-code\.json$/, sample.source);
    const code_content = code.get(source);
    if (code_content === undefined) {
      leftOut.push({ source, reason: "is named in sample-code.json and not in the archive" });
      return [];
    }
    code.delete(source);
    return [{ ...sample, source, fields: { ...sample.fields, code_content } }];
  }

  switch (RECORDS.exec(path)?.[1]) {
    case "profile":
      content.profile = toProfile(parseRecord(text));
      break;
    case "skills":
      content.skills = each(toSkill);
      break;
    case "useful-links":
      content.items.push(...each((value) => toLink(value, path)));
      break;
    default:
      content.items.push(...each((value) => toSample(value, path)).flatMap(withCode));
  }
}

function attempt(work: () => void, onFailure: (reason: string) => void): void {
  try {
    work();
  } catch (error) {
    onFailure(`cannot be read: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
  }
}
