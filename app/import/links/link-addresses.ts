import { visitParents } from "unist-util-visit-parents";
import {
  applyReplacements,
  destinationOf,
  parseMarkdown,
  type Replacement,
  runningText,
} from "../text/markdown-source.ts";
import { LINK_TAG } from "../text/tags.ts";

const MAY_HAVE_LINKS = /\]\s*\(|\]:/;
/** Returns a link's new address, or undefined to leave it unchanged. */
export type ResolveLink = (address: string) => string | undefined;

/**
 * Replaces the addresses of links in a Markdown text. Every other byte stays, and so do pictures, code, comments and
 * escaped text.
 */
export function replaceLinks(text: string, resolve: ResolveLink): string {
  if (!MAY_HAVE_LINKS.test(text)) return text;
  const replacements: Replacement[] = [];
  const add = (range: { start: number; end: number }, address: string) => {
    const found = resolve(address);
    if (found !== undefined) replacements.push({ ...range, text: found });
  };
  const tree = parseMarkdown(text);
  visitParents(tree, (node) => {
    if (node.type !== "link" && node.type !== "definition") return;
    const range = destinationOf(node);
    if (range) add(range, node.url);
  });
  for (const { index, ...found } of runningText(text, tree).matchAll(LINK_TAG)) {
    const [match = "", target = ""] = Object.values(found).filter((each) => typeof each === "string");
    add({ start: index, end: index + match.length }, target);
  }
  return applyReplacements(text, replacements);
}
