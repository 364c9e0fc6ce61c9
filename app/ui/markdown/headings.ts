import type { Element, Root } from "hast";
import { visitParents } from "unist-util-visit-parents";
import { addClass, textOf } from "./rehype-text.ts";

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

const levelOf = ({ tagName }: Element) => Number(tagName.slice(1));

/** The highest headings come right below the title: many writers begin at the second. A page's have anchors. */
export function rehypeHeadings(top: number, isPage: boolean) {
  return (tree: Root) => {
    const headings: Element[] = [];
    visitParents(tree, "element", (element) => {
      // Footnotes' heading has an id already.
      if (/^h[1-6]$/.test(element.tagName) && !element.properties.id) headings.push(element);
    });
    const highest = Math.min(...headings.map(levelOf));
    const used = new Map<string, number>();
    for (const heading of headings) {
      const depth = levelOf(heading) - highest;
      heading.tagName = `h${Math.min(top + depth, 6)}`;
      addClass(heading, `depth-${depth + 1}`);
      if (isPage) addAnchor(heading, used);
    }
  };
}

function addAnchor(heading: Element, used: Map<string, number>): void {
  const slug = slugOf(heading);
  const count = (used.get(slug) ?? 0) + 1;
  used.set(slug, count);
  const id = `${PREFIX}${slug}${count > 1 ? `--${count}` : ""}`;
  heading.properties.id = id;
  heading.children.push(anchorTo(id));
}
