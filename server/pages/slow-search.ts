import { KINDS } from "../../common/kinds/index.ts";

const LISTS = new Set(KINDS.flatMap(({ path }) => [path, `${path}.data`]));

/**
 * Whether a page, by its canonical path, searches a list for a text that no index can serve, because it has no three letters or digits in a row
 * (a trigram). If few items contain the text, the database reads the texts of all items.
 *
 * @param text the value of `?q=`
 */
export function isSlowSearch(path: string, text: string | undefined): boolean {
  return LISTS.has(path) && text !== undefined && text.trim() !== "" && !/[\p{L}\p{N}]{3}/u.test(text);
}
