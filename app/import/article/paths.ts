import { parseDate } from "./dates.ts";

/** Matches `2021-09-03-title`, `2021_09_03 title`, `20210903-title` and `202109031205 title`. */
const DATED_NAME = /^(\d{4})([-_.]?)(\d{2})\2(\d{2})(?:\d{4}(?:\d\d)?)?(?:[-_.\s]+(.*))?$/;
/** Jekyll also accepts `2021-9-3-title`. */
const SHORT_DATED_NAME = /^(\d{4})(-)(\d{1,2})-(\d{1,2})-(.*)$/;
/** Bear and Ulysses export `My note.textbundle/text.md`. */
const TEXT_BUNDLE = /\.textbundle$/i;
/** Notion adds the page's id to its name: `First week 1111222233334444555566667777888a.md`. */
export const NOTION_NAME = /(?<=\S) [0-9a-f]{32}(?=\.[^./]+$)/;
const DATED_FOLDERS = /(?:^|\/)(\d{4})\/(\d{1,2})\/(\d{1,2})(?=\/|$)/;

/**
 * Reads an article's name and date from its path. The date is null if neither the file nor a folder has one. A name that
 * several files have (`isNameShared`) says less than that of their folders.
 */
export function readPath(path: string, isNameShared = false): { name: string; date: string | null } {
  const parts = path
    .replace(NOTION_NAME, "")
    .replace(/\.[^./]+$/, "")
    .split("/");
  // Page bundles are named after their folder: `posts/my-page/index.md`.
  const isTextBundle = parts.at(-1) === "text" && TEXT_BUNDLE.test(parts.at(-2) ?? "");
  const isBundle = parts.length > 1 && (isNameShared || /^_?(?:index|readme)$/i.test(parts.at(-1) ?? ""));
  if (isBundle || isTextBundle) parts.pop();
  const last = readDatedName((parts.at(-1) ?? "").replace(TEXT_BUNDLE, ""));
  const folder = parts
    .slice(0, -1)
    .map(readDatedName)
    .findLast(({ date }) => date !== null);
  const [, year, month, day] = DATED_FOLDERS.exec(parts.join("/")) ?? [];
  const fromFolders = year ? parseDate(`${year}-${month}-${day}`) : null;
  return { name: last.name, date: last.date ?? folder?.date ?? fromFolders };
}

function readDatedName(part: string): { name: string; date: string | null } {
  const [, year, , month, day, rest] = DATED_NAME.exec(part) ?? SHORT_DATED_NAME.exec(part) ?? [];
  const date = year ? parseDate(`${year}-${month}-${day}`) : null;
  return { name: (date && rest) || part, date };
}
