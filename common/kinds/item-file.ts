import { columnOf } from "../data/content-reads.ts";
import type { ContentRow } from "../data/schema.ts";
import type { KindDefinition } from "./kind-definition.ts";
import { writeFrontMatter } from "./write-front-matter.ts";

type ItemFile = NonNullable<KindDefinition["file"]>;

/** Returns the content of an item's file: front matter if the kind has it, then the author's text, byte for byte. */
export function itemFileText(kind: KindDefinition, file: ItemFile, row: ContentRow): string {
  const text = String(columnOf(row, file.column) ?? "");
  if (!file.hasFrontMatter) return text;
  const names = Object.keys(kind.columns).filter((name) => name !== file.column);
  const all = ["id", ...names, "created_at", ...(kind.hasUpdatedAt ? ["updated_at"] : [])];
  const values = all.map((name) => [name, columnOf(row, name)] as const);
  return writeFrontMatter(Object.fromEntries(values.filter(([, value]) => value != null))) + text;
}

/** File systems allow 255 bytes per name. 50 characters take up at most 200 bytes, so the id and the extension fit. */
const MAX_CHARACTERS = 50;

export function shortenName(text: string, unsafe: RegExp): string {
  const safe = text.replace(unsafe, "-").replace(/^[-.]+/, "");
  return Array.from(safe)
    .slice(0, MAX_CHARACTERS)
    .join("")
    .replace(/[-.]+$/, "");
}

/** Converts a title to lower-case words joined by hyphens, for a file name. */
export function fileSlug(title: string): string {
  return shortenName(title.normalize("NFKC").toLowerCase(), /[^\p{L}\p{N}\p{M}]+/gu) || "untitled";
}

export const itemFileName = ({ title, id }: ContentRow, extension: string, idLength = 8): string =>
  `${fileSlug(title)}-${id.slice(0, idLength)}.${extension}`;

/** The `Content-Disposition` of an item's file. `filename` is ASCII for clients that don't read `filename*`. */
export function itemFileDisposition(row: ContentRow, extension: string): string {
  const ascii = row.title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^ -~]/g, " ");
  const name = itemFileName({ ...row, title: ascii }, extension);
  return `inline; filename="${name}"; filename*=UTF-8''${encodeURIComponent(itemFileName(row, extension))}`;
}
