import type { Heading, Root } from "mdast";
import { toString as toPlainText } from "mdast-util-to-string";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { REMARK_PLUGINS } from "./remark-plugins.ts";

/** A heading after this many characters is unlikely to be the title. */
const SEARCHED_CHARACTERS = 100_000;
/** Hugo and kramdown write a heading's id after its text, as `{#id}` or `{: #id}`. It is not part of the title. */
const ATTRIBUTES = /\s*\{[#.:][^{}]*\}$/;

const parser = unified().use(remarkParse).use(REMARK_PLUGINS);

/** Returns an article's title: the text of its first level-1 heading or, if there is none, of its first heading. */
export function firstHeading(markdown: string): string | undefined {
  const tree = parser.runSync(parser.parse(markdown.slice(0, SEARCHED_CHARACTERS))) as Root;
  const headings = tree.children.filter((node): node is Heading => node.type === "heading");
  const first = (level: number) =>
    headings
      .filter(({ depth }) => depth <= level)
      .map(plainTextOf)
      .find((words) => words !== "");
  return first(1) ?? first(6);
}

function plainTextOf(heading: Heading): string {
  const text = toPlainText(heading, { includeImageAlt: false, includeHtml: false });
  return text.replace(/\s+/g, " ").replace(ATTRIBUTES, "").trim();
}
