import type { Element, ElementContent, Root } from "hast";
import { textOf } from "./rehype-text.ts";

const LONGEST_SLUG = 60;

const PREFIX = "section-";

function slugOf(heading: Element): string {
  const words = textOf(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  return Array.from(words).slice(0, LONGEST_SLUG).join("") || "heading";
}

const anchorTo = (id: string): Element => ({
  type: "element",
  tagName: "a",
  properties: { className: ["heading-anchor"], href: `#${id}`, ariaHidden: "true", tabIndex: -1 },
  children: [],
});

function headingsOf(node: Root | ElementContent): Element[] {
  if (node.type !== "element" && node.type !== "root") return [];
  if (node.type === "element" && /^h[1-6]$/.test(node.tagName)) return [node];
  return node.children.flatMap((child) => headingsOf(child as ElementContent));
}

const levelOf = ({ tagName }: Element) => Number(tagName.slice(1));

/** The highest headings get level 1: many writers begin at the second. Footnotes' heading has an id already. */
export function rehypeHeadingAnchors() {
  return (tree: Root) => {
    const used = new Map<string, number>();
    const headings = headingsOf(tree);
    const written = headings.filter(({ properties }) => !properties.id).map(levelOf);
    const highest = [1, 2, 3, 4, 5].find((level) => written.includes(level)) ?? 6;
    for (const heading of headings) {
      if (heading.properties.id) {
        heading.tagName = "h1";
        continue;
      }
      heading.tagName = `h${levelOf(heading) - highest + 1}`;
      const slug = slugOf(heading);
      const count = (used.get(slug) ?? 0) + 1;
      used.set(slug, count);
      const id = `${PREFIX}${slug}${count > 1 ? `--${count}` : ""}`;
      heading.properties.id = id;
      heading.children.push(anchorTo(id));
    }
  };
}
