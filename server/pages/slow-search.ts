import type { FunctionCall } from "../../common/data/reader.ts";

/**
 * Whether a call searches a list for a text that no index can serve, because it has no three letters or digits in a row (a
 * trigram). If few items contain the text, the database reads the texts of all items.
 */
export function isSlowSearch(call: FunctionCall | undefined): boolean {
  if (call?.function !== "search_items") return false;
  const { search_text: text = "" } = call.arguments;
  return text.trim() !== "" && !/[\p{L}\p{N}]{3}/u.test(text);
}
