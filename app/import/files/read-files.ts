import { isUuid } from "../../../common/data/addresses.ts";
import { readArticle } from "../article/read-article.ts";
import type { FileContent, FileItem } from "../items.ts";
import { attempt, type LeftOut, ReadError } from "../left-out.ts";
import { ArticleFinder } from "../links/article-finder.ts";
import { findLinkedArticles } from "../links/link-articles.ts";
import { mayNameSite, sitesIn } from "../links/old-addresses.ts";
import { PICTURE_NAME } from "../pictures/find-picture.ts";
import { linkPictures } from "../pictures/link-pictures.ts";
import { readArchive } from "./read-archive.ts";
import { isListedRecord, isRecord, readRecords } from "./read-records.ts";
import { chosenFile, type SourceFile } from "./source-file.ts";

/**
 * Limits per import, so that the texts of a hostile archive cannot exhaust the browser's memory. The byte limits don't
 * apply to pictures, for which `addPictures` has its own limit.
 */
const LIMITS = { files: 10_000, fileBytes: 10 * 1024 * 1024, totalBytes: 256 * 1024 * 1024 };

const MARKDOWN = /\.(?:md|markdown|mdown|mkd)$/i;
const ARCHIVE = /\.zip$/i;
const HIDDEN = /^\.(?!\.?$)|^__MACOSX$/;
/** Matches hidden folders and `node_modules`, which may contain thousands of unwanted files. */
const HIDDEN_FOLDER = /^(?:[^/]+\/)*?(\.[^/]+|node_modules)(?=\/)/;

/** Folders of note-taking programs. Their texts have wiki links. */
const VAULT_FOLDER = /(?:^|[/\\])(?:\.obsidian|\.foam|logseq)[/\\]/;

/** Reads all readable files, and lists the others with reasons. Files outside archives are read as one folder. */
export async function readFiles(files: File[], limits = LIMITS): Promise<FileContent> {
  const content: FileContent = { items: [], profile: null, skills: null, leftOut: [], otherPictures: [] };
  const budget = { ...limits };
  const loose: SourceFile[] = [];
  for (const file of files) {
    if (!ARCHIVE.test(file.name)) {
      loose.push(chosenFile(file));
      continue;
    }
    await attempt(content.leftOut, file.name, async () => {
      const archive = await readArchive(file, budget.files + 1);
      await readFolder(content, archive.files, budget);
      if (!archive.isComplete) throw new ReadError("is damaged, and its last files could not be read");
    });
  }
  await readFolder(content, withoutHiddenFolders(content, loose), budget);
  dropSharedIds(content.items);
  if (budget.files < 0) {
    const reason = `exceeds the limit of ${limits.files} files per import: please import it separately`;
    content.leftOut.push({ source: "The rest", reason });
  }
  return content;
}

/** Other programs' ids may be unique only within a folder. Such items are identified by their paths. */
function dropSharedIds(items: FileItem[]): void {
  const byId = Object.groupBy(items, ({ id }) => id ?? "");
  for (const item of items)
    if (item.id !== null && !isUuid(item.id) && (byId[item.id]?.length ?? 0) > 1) item.id = null;
}

/** Reads the files of one archive or folder, which may refer to each other. */
async function readFolder(content: FileContent, files: SourceFile[], budget: typeof LIMITS): Promise<void> {
  const { items, leftOut } = content;
  const records = new Map<string, string>();
  const paths = new Set(files.map(({ path }) => path));
  const names = Object.groupBy(paths, nameOf);
  const articles = new ArticleFinder([...paths].filter((path) => MARKDOWN.test(path)));
  const hasWikiLinks = [...paths].some((path) => VAULT_FOLDER.test(path));
  const pictures = new Map<string, SourceFile>();
  const texts: string[] = [];
  const hidden: string[] = [];
  const sites: string[] = [];
  const itemsBefore = items.length;
  for (const file of files) {
    if (budget.files < 0 || --budget.files < 0) break;
    // Some Windows programs separate folders with backslashes.
    const path = file.path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
    if (path.split("/").some((part) => HIDDEN.test(part))) {
      hidden.push(path);
      continue;
    }
    await attempt(leftOut, path, async () => {
      if (mayNameSite(path)) sites.push(...sitesIn(path, await readText(file, budget)));
      rejectUnwanted(path);
      if (PICTURE_NAME.test(path)) {
        pictures.set(path, { ...file, path });
        return;
      }
      const text = await readText(file, budget);
      if (!MARKDOWN.test(path) || isListedRecord(path, paths)) {
        records.set(path, text);
        return;
      }
      texts.push(path);
      const article = readArticle(
        text,
        path,
        new Date(file.lastModified),
        new Date(),
        (names[nameOf(file.path)]?.length ?? 0) > 1,
        { hasWikiLinks, isNote: (name) => articles.find(`${name}.md`, path) !== null },
      );
      if (file.guessedEncoding)
        article.notes.push(`the file's name is not UTF-8: read as ${file.guessedEncoding}`);
      items.push(article);
    });
  }
  if (hidden.length > 0) leftOut.push(hiddenLine(hidden));
  const profileSource = await readRecords(content, records);
  const read = items.slice(itemsBefore);
  linkPictures(content, { items: read, pictures, texts, profileSource });
  findLinkedArticles(read, new Set(texts), sites);
}

/** Returns a file's name in lower case, without its folders. */
const nameOf = (path: string): string => path.toLowerCase().replace(/^.*[/\\]/s, "");

/** One line for all hidden files, because an archive from a Mac contains one for each file. */
function hiddenLine([first = "", ...others]: string[]): LeftOut {
  return others.length === 0
    ? { source: first, reason: "is a hidden file" }
    : { source: `${others.length + 1} hidden files`, reason: `are not imported, for example ${first}` };
}

function withoutHiddenFolders({ leftOut }: FileContent, files: SourceFile[]): SourceFile[] {
  const hidden = new Set<string>();
  const visible = files.filter(({ path }) => {
    const [folder] = HIDDEN_FOLDER.exec(path) ?? [];
    if (folder) hidden.add(folder);
    return !folder;
  });
  for (const source of hidden) leftOut.push({ source, reason: "is a folder that is not imported" });
  return visible;
}

/** Throws ReadError if the path alone rules the file out. */
function rejectUnwanted(path: string): void {
  const parts = path.split("/");
  if (parts.includes("..") || path.startsWith("/") || /^[a-z]:/i.test(path))
    throw new ReadError("has a path that leads out of the archive");
  if (ARCHIVE.test(path)) throw new ReadError("is an archive inside an archive: please import it separately");
  if (!MARKDOWN.test(path) && !isRecord(path) && !PICTURE_NAME.test(path))
    throw new ReadError("is not Markdown");
}

/**
 * Decodes a file of an import and deducts its size from the import's budget. Keeps a byte-order mark, because a code
 * sample may begin with one. Throws ReadError.
 */
async function readText(file: SourceFile, budget: typeof LIMITS): Promise<string> {
  const { fileBytes, totalBytes } = budget;
  if (file.size > fileBytes) throw new ReadError(`is larger than ${Math.floor(fileBytes / 1024 / 1024)} MB`);
  if (file.size > totalBytes)
    throw new ReadError("would exceed the total size limit of an import: please import it separately");
  budget.totalBytes -= file.size;
  const bytes = await file.read();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ReadError("is not UTF-8 text");
  }
}
