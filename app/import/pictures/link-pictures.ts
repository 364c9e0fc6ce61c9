import { kindOfTable } from "../../../common/kinds/index.ts";
import { markdownColumns } from "../../../common/kinds/kind-definition.ts";
import { decode } from "../files/paths.ts";
import type { SourceFile } from "../files/source-file.ts";
import type { FileContent, FileItem } from "../items.ts";
import { ReadError } from "../left-out.ts";
import { findPictureReferences, type Resolve } from "../text/picture-references.ts";
import { listOf } from "../text/tags.ts";
import { PICTURE_NAME, PictureFinder } from "./find-picture.ts";

/** Jupyter's address of a picture that was pasted into a notebook. Its Markdown doesn't contain the picture. */
const ATTACHMENT = /^attachment:/i;
/** A picture in the text itself, as in Google Docs' Markdown. */
const INSIDE = /^data:image\/([a-z]+)[^,]*;base64,/i;

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
      const found = finder.find(address.replace(ATTACHMENT, ""), item.source);
      const file = found && "path" in found ? fileOf(found.path) : pictureInside(address, item);
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
    const undescribed = new Set<string>();
    for (const column of markdownColumns(kindOfTable(item.table))) {
      const text = item.fields[column];
      if (typeof text !== "string") continue;
      const references = findPictureReferences(text);
      item.references.set(column, references);
      references.replace(resolve);
      item.notes.push(...tagNotes(references.remainingTags(resolve)));
      for (const address of references.undescribed) undescribed.add(nameIn(address));
    }
    if (undescribed.size > 0) item.notes.push(`pictures without a description: ${listOf([...undescribed])}`);
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

/** Returns the last part of a picture's address. */
function nameIn(address: string): string {
  if (INSIDE.test(address)) return "one inside the text";
  return decode(address.replace(/[?#].*$/s, "").replace(/^.*[/\\](?=.)/s, ""));
}

/** Returns the picture that an address contains. */
function pictureInside(address: string, { source, modifiedAt }: FileItem): SourceFile | undefined {
  const [start, type = ""] = INSIDE.exec(address) ?? [];
  if (start === undefined) return undefined;
  const encoded = address.slice(start.length).replace(/%20|\s/g, "");
  return {
    path: `${source}.${type.toLowerCase()}`,
    size: Math.floor((encoded.length * 3) / 4),
    lastModified: Date.parse(modifiedAt ?? "") || 0,
    read: async () => decodeBase64(decode(encoded)),
  };
}

function decodeBase64(text: string): ArrayBuffer {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;
  } catch {
    throw new ReadError("it is damaged");
  }
}

function tagNotes(tags: string[]): string[] {
  const different = [...new Set(tags)];
  return different.length === 0 ? [] : [`shown as text: ${listOf(different)}`];
}
