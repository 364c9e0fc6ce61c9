import { kindOfTable } from "../../../common/kinds/index.ts";
import { markdownColumns } from "../../../common/kinds/kind-definition.ts";
import type { SourceFile } from "../files/source-file.ts";
import type { FileContent, FileItem } from "../items.ts";
import { findPictureReferences, type Resolve } from "../text/picture-references.ts";
import { listOf } from "../text/tags.ts";
import { PICTURE_NAME, PictureFinder } from "./find-picture.ts";

/** A picture's path in a Techfolio download. */
const DOWNLOADED = /(?:^|\/)pictures\/[0-9a-f]{32}-\d+x\d+\.\w+$/;

interface Folder {
  items: FileItem[];
  /** The folder's picture files, by path. */
  pictures: Map<string, SourceFile>;
  /** The paths of the folder's Markdown files. */
  texts: string[];
  /** The path of the file with the profile, if the folder has one. */
  profileSource: string | undefined;
}

/** Finds the files of the pictures that items and the profile show, and lists the others. */
export function linkPictures(content: FileContent, { items, pictures, texts, profileSource }: Folder): void {
  const finder = new PictureFinder(pictures.keys(), texts);
  const used = new Set<SourceFile>();
  const fileOf = (path: string) => {
    const file = pictures.get(path);
    if (file) used.add(file);
    return file;
  };

  for (const item of items) {
    const shown = new Map<string, SourceFile>();
    const problems = new Map<string, "missing" | "ambiguous">();
    const resolve: Resolve = (address, isPicture) => {
      const found = finder.find(address, item.source);
      const file = found && "path" in found ? fileOf(found.path) : undefined;
      if (file) shown.set(address, file);
      else if (
        found &&
        "problem" in found &&
        (isPicture || PICTURE_NAME.test(address.replace(/[?#].*$/s, "")))
      )
        problems.set(address, found.problem);
      return file && address;
    };
    item.references = new Map();
    for (const column of markdownColumns(kindOfTable(item.table))) {
      const text = item.fields[column];
      if (typeof text !== "string") continue;
      const references = findPictureReferences(text);
      item.references.set(column, references);
      references.replace(resolve);
      item.notes.push(...tagNotes(references.remainingTags(resolve)));
    }
    item.pictures = shown;
    item.missingPictures = Array.from(problems, ([address, problem]) => ({ address, problem }));
  }

  const portrait =
    profileSource === undefined ? null : finder.find(content.profile?.avatar_url ?? "", profileSource);
  const file = portrait && "path" in portrait ? fileOf(portrait.path) : undefined;
  if (file) content.portrait = file;
  for (const [path, picture] of pictures) {
    if (used.has(picture)) continue;
    if (DOWNLOADED.test(path)) content.otherPictures.push(picture);
    else content.leftOut.push({ source: path, reason: "is a picture that no article shows" });
  }
}

function tagNotes(tags: string[]): string[] {
  const different = [...new Set(tags)];
  return different.length === 0 ? [] : [`shown as text: ${listOf(different)}`];
}
