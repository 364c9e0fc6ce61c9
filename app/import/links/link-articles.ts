import { itemPath } from "../../../common/data/addresses.ts";
import { KINDS, kindOfTable } from "../../../common/kinds/index.ts";
import { markdownColumns } from "../../../common/kinds/kind-definition.ts";
import { SCHEME } from "../files/paths.ts";
import type { FileItem } from "../items.ts";
import { PICTURE_NAME } from "../pictures/find-picture.ts";
import { listOf } from "../text/tags.ts";
import { ArticleFinder } from "./article-finder.ts";
import { replaceLinks } from "./link-addresses.ts";
import { OldAddresses } from "./old-addresses.ts";

/** Addresses of this site, and of pictures, which have notes of their own. */
const OWN = new RegExp(
  `^(?:${KINDS.map(({ path }) => path).join("|")}|/people|/profile|/search|/storage)(?:[/?#]|$)`,
);

/**
 * Finds the articles of one archive or folder that its texts link, and names links to missing files. `sites` are the
 * addresses of the site that the files belong to.
 */
export function findLinkedArticles(
  items: FileItem[],
  texts: ReadonlySet<string>,
  sites: readonly string[] = [],
): void {
  const finder = new ArticleFinder(texts);
  const old = new OldAddresses(
    items.filter(({ source }) => texts.has(source)),
    sites,
  );
  const bySource = new Map(items.map((item) => [item.source, item]));
  for (const item of items) {
    if (!texts.has(item.source)) continue;
    const linked = new Map<string, FileItem>();
    const missing = new Set<string>();
    const unproven = new Set<string>();
    for (const column of markdownColumns(kindOfTable(item.table))) {
      const text = item.fields[column];
      if (typeof text !== "string") continue;
      replaceLinks(text, (address) => {
        const path = old.find(address) ?? finder.find(old.pathOnSite(address) ?? address, item.source);
        const target = path === null ? undefined : bySource.get(path);
        if (target) linked.set(address, target);
        else if (leadsNowhere(address)) missing.add(address);
        else if (old.mayBeOwn(address)) unproven.add(address);
        return undefined;
      });
    }
    if (linked.size > 0) item.linked = linked;
    if (missing.size > 0) item.notes.push(`links to no file of this import: ${listOf([...missing])}`);
    if (unproven.size > 0)
      item.notes.push(
        `links that may lead to articles of this import, unchanged because no file names their site: ${listOf([...unproven])}`,
      );
  }
}

/** Whether an address depends on the text's earlier place. */
const leadsNowhere = (address: string): boolean =>
  !SCHEME.test(address) &&
  !/^(?:[?#]|$)/.test(address) &&
  !OWN.test(address) &&
  !PICTURE_NAME.test(address.replace(/[?#].*$/s, ""));

/** Replaces the addresses of linked articles with those on this site. `idOf` returns null for articles that the import leaves out. */
export function linkArticles(item: FileItem, idOf: (linked: FileItem) => string | null): FileItem {
  const { linked } = item;
  if (!linked) return item;
  const fields = { ...item.fields };
  for (const column of markdownColumns(kindOfTable(item.table))) {
    const text = fields[column];
    if (typeof text !== "string") continue;
    fields[column] = replaceLinks(text, (address) => {
      const target = linked.get(address);
      const id = target ? idOf(target) : null;
      if (!target || id === null) return undefined;
      const [fragment = ""] = /#.*$/s.exec(address) ?? [];
      return itemPath(kindOfTable(target.table), { id, title: target.fields.title }) + fragment;
    });
  }
  return { ...item, fields };
}
