import { folders, joinPath, lowerCase, SCHEME, spellings, stemOf } from "../files/paths.ts";

/** Extensions of addresses that may lead to an article: those of Markdown files and of the pages made of them. */
const PAGE = /\.(?:md|markdown|mdown|mkd|html?)$/i;
/** The file of a page bundle has its folder's address. */
const INDEX = /\/(?:_?index|readme)$/;
/** Jekyll's `2021-09-03-title` has the address `title`. */
const DATE = /^\d{4}-\d{1,2}-\d{1,2}-/;
/** A list of articles may have the name of one: `/tags/dbt/`. */
const LIST = /(?:^|\/)(?:tags?|categor(?:y|ies)|topics?|authors?|series|page|feed|search)\//i;

/**
 * Finds the articles of one archive or folder by the addresses in their texts. An address is relative to the file or to
 * its page, or begins at a folder above. A bare name, and the last part of an old absolute path, also find the only
 * article with this name.
 */
export class ArticleFinder {
  /** Paths of files by their path in lower case, without extension. */
  readonly #byStem = new Map<string, string>();
  readonly #byName = new Map<string, Set<string>>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      const stem = stemOf(lowerCase(path));
      const page = stem.replace(INDEX, "");
      for (const each of [stem, page]) if (!this.#byStem.has(each)) this.#byStem.set(each, path);
      const name = lastPart(page);
      for (const each of [name, name.replace(DATE, "")]) {
        this.#byName.set(each, (this.#byName.get(each) ?? new Set()).add(path));
      }
    }
  }

  /** Returns the path of the article's file. Null if there is none. */
  find(address: string, fromPath: string): string | null {
    if (SCHEME.test(address)) return null;
    for (const spelled of spellings(address)) {
      const path = this.#find(spelled.replace(/\/+$/, "").replace(PAGE, ""), fromPath);
      if (path !== undefined) return path;
    }
    return null;
  }

  #find(address: string, fromPath: string): string | undefined {
    const above = folders(fromPath);
    const isAbsolute = address.startsWith("/");
    const bases = isAbsolute ? above : [above[0] ?? "", stemOf(fromPath), ...above];
    for (const base of bases) {
      const path = this.#byStem.get(lowerCase(joinPath(base, address)));
      if (path !== undefined) return path;
    }
    const mayBeName = isAbsolute ? !LIST.test(address) : !address.includes("/");
    const [path, ...others] = mayBeName ? (this.#byName.get(lowerCase(lastPart(address))) ?? []) : [];
    return others.length === 0 ? path : undefined;
  }
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
