import { BlobReader, BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js/lib/zip-core-custom.js";
import type { ContentRow } from "../../../common/data/schema.ts";
import { KINDS, kindSlug } from "../../../common/kinds/index.ts";
import { itemFileText } from "../../../common/kinds/item-file.ts";
import type { KindDefinition } from "../../../common/kinds/kind-definition.ts";
import type { MemberContent } from "./member-content.ts";
import { fileNames } from "./names.ts";

interface ArchiveFile {
  path: string;
  text: string;
}

export function archiveFiles({ profile, skills, items }: MemberContent): ArchiveFile[] {
  return [
    { path: "profile.json", text: json(profile) },
    { path: "skills.json", text: json(skills) },
    ...KINDS.flatMap((kind) => kindFiles(kind, items[kind.table] ?? [])),
  ];
}

function kindFiles(kind: KindDefinition, rows: ContentRow[]): ArchiveFile[] {
  const name = kindSlug(kind);
  const { file } = kind;
  if (!file) return [{ path: `${name}.json`, text: json(rows) }];
  const nameFile = fileNames();
  const paths = rows.map((row) => `${name}/${nameFile(row, file.extension(row))}`);
  const files = rows.map((row, index) => ({ path: paths[index] ?? "", text: itemFileText(kind, file, row) }));
  if (file.hasFrontMatter) return files;
  const records = rows.map((row, index) => ({ ...row, [file.column]: undefined, file: paths[index] }));
  return [{ path: `${name}.json`, text: json(records) }, ...files];
}

export interface ArchivedPicture {
  path: string;
  /** Resolves to null if the picture has been deleted since it was listed. */
  read(): Promise<Blob | null>;
}

export async function zipTexts(files: ArchiveFile[], pictures: ArchivedPicture[] = []): Promise<Blob> {
  const zip = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  for (const { path, text } of files) await zip.add(path, new TextReader(text));
  for (const { path, read } of pictures) {
    const blob = await read();
    // Store pictures without compression, because their formats are already compressed.
    if (blob) await zip.add(path, new BlobReader(blob), { level: 0 });
  }
  return zip.close();
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
