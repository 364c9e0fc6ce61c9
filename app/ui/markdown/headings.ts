import type { Element, Root } from "hast";
import { visitParents } from "unist-util-visit-parents";
import { addClass, textOf } from "./rehype-text.ts";

const LONGEST_SLUG = 60;

const PREFIX = "section-";

/** As GitHub makes it, for which texts that are brought along have written their tables of contents. */
function slugOf(heading: Element): string {
  const words = textOf(heading)
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]+/gu, "")
    .replace(/\s/g, "-");
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
    const slugs = headings.map(slugOf);
    leadLinks(tree, new Set(slugs.map((slug) => `#${encodeURI(slug)}`)));
    const used = new Map<string, number>();
    for (const [index, heading] of headings.entries()) {
      const depth = levelOf(heading) - highest;
      heading.tagName = `h${Math.min(top + depth, 6)}`;
      addClass(heading, `depth-${depth + 1}`);
      if (isPage) addAnchor(heading, slugs[index] ?? "", used);
    }
  };
}

/** In a card, too: a feed carries its text, with the page's address. */
function leadLinks(tree: Root, fragments: ReadonlySet<string>): void {
  visitParents(tree, { tagName: "a" }, ({ properties }: Element) => {
    const href = String(properties.href);
    if (fragments.has(href)) properties.href = `#${PREFIX}${href.slice(1)}`;
  });
}

function addAnchor(heading: Element, slug: string, used: Map<string, number>): void {
  const count = (used.get(slug) ?? 0) + 1;
  used.set(slug, count);
  const id = `${PREFIX}${slug}${count > 1 ? `--${count}` : ""}`;
  heading.properties.id = id;
  heading.children.push(anchorTo(id));
}
