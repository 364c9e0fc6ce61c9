import { BUCKET, parsePictureAddress, pictureName } from "../../../common/pictures/picture-path.ts";
import { folders, joinPath, lowerCase, SCHEME, spellings, stemOf } from "../files/paths.ts";

/** Includes formats that browsers can't show, so that the import can say what to do about them. */
export const PICTURE_NAME = /\.(?:png|jpe?g|jfif|webp|gif|avif|svg|hei[cf]|tiff?|bmp)$/i;
/** Site generators and note-taking programs keep the pictures of several texts in these folders. */
const PICTURE_FOLDERS = ["images", "assets", "attachments", "static", "public"];
const IS_PICTURE_FOLDER = new RegExp(`(?:^|/)(?:${PICTURE_FOLDERS.join("|")})$`);

/** A file's path, or the reason why none is used. */
type Found = { path: string } | { problem: "missing" | "ambiguous" };

/**
 * Finds the pictures of one archive or folder. A picture is found next to its text, in a folder with the text's name, in
 * a folder for pictures next to the text or above it, or by its path from a folder above the text. A bare name also finds
 * the only file with this name. Only an exact path finds a picture that belongs to another text.
 */
export class PictureFinder {
  /** Paths by their NFC form. */
  readonly #exact = new Map<string, string>();
  /** Paths by their NFC form in lower case. */
  readonly #lowerCase = new Map<string, string>();
  readonly #byName = new Map<string, string[]>();
  /** In lower case. Pictures in these folders belong to the texts next to them, or to the text with the folder's name. */
  readonly #textFolders: ReadonlySet<string>;

  constructor(pictures: Iterable<string>, texts: Iterable<string>) {
    for (const path of pictures) {
      const key = lowerCase(path);
      this.#exact.set(path.normalize(), path);
      if (!this.#lowerCase.has(key)) this.#lowerCase.set(key, path);
      const name = key.slice(key.lastIndexOf("/") + 1);
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), path]);
    }
    const owned = Array.from(texts, (path) => [folders(lowerCase(path))[0] ?? "", stemOf(lowerCase(path))]);
    this.#textFolders = new Set(owned.flat().filter((folder) => !IS_PICTURE_FOLDER.test(folder)));
  }

  /** Returns null for the URL of another site. `textPath` is the path of the file that contains the URL. */
  find(address: string, textPath: string): Found | null {
    const above = folders(textPath);
    const uploaded = parsePictureAddress(address);
    if (uploaded) {
      // In a download, the file of an uploaded picture is in the folder `pictures`.
      const path = this.#lookUp(
        above.map((folder) => joinPath(folder, `${BUCKET}/${pictureName(uploaded)}`)),
      );
      if (path !== undefined) return { path };
      return SCHEME.test(address) ? null : { problem: "missing" };
    }
    if (SCHEME.test(address)) return null;
    const addresses = spellings(address);
    if (addresses.length === 0) return null;
    const exact = addresses.flatMap((each) => [
      ...(each.startsWith("/") ? above : [above[0] ?? "", stemOf(textPath)]).map((folder) =>
        joinPath(folder, each),
      ),
    ]);
    const shared = addresses.flatMap((each) => [
      ...above.flatMap((folder) => PICTURE_FOLDERS.map((name) => joinPath(folder, `${name}/${each}`))),
      ...above.map((folder) => joinPath(folder, each)),
    ]);
    const path =
      this.#lookUp(exact) ?? this.#lookUp(shared, (found) => !this.#isOfOtherText(found, textPath));
    if (path !== undefined) return { path };
    const bareName = addresses.find((each) => !each.includes("/"));
    return bareName === undefined ? { problem: "missing" } : this.#lookUpName(bareName, textPath);
  }

  #lookUp(candidates: string[], isUsable = (_: string) => true): string | undefined {
    const exact = candidates.flatMap((path) => this.#exact.get(path.normalize()) ?? []);
    const others = candidates.flatMap((path) => this.#lowerCase.get(lowerCase(path)) ?? []);
    return [...exact, ...others].find(isUsable);
  }

  #lookUpName(name: string, textPath: string): Found {
    const paths = this.#byName.get(lowerCase(name)) ?? [];
    const [path, ...others] = paths.filter((each) => !this.#isOfOtherText(each, textPath));
    if (path === undefined) return { problem: "missing" };
    return others.length > 0 ? { problem: "ambiguous" } : { path };
  }

  #isOfOtherText(path: string, textPath: string): boolean {
    const own = lowerCase(textPath);
    const owner = folders(lowerCase(path)).find((folder) => this.#textFolders.has(folder));
    return owner !== undefined && owner !== stemOf(own) && !folders(own).includes(owner);
  }
}
