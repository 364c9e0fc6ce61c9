import type { Element, Root } from "hast";
import { visitParents } from "unist-util-visit-parents";
import { addClass, textOf } from "./rehype-text.ts";

const LONGEST_NAME = 60;

const PREFIX = "section-";

/** As GitHub makes it, for which texts that are brought along have written their tables of contents. */
function slugOf(heading: Element): string {
  const words = textOf(heading)
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]+/gu, "")
    .replace(/\s/g, "-");
  return words || "heading";
}

/** A name that is there already gets the next free number, `separator` before it. */
function distinct(names: string[], separator: string, first: number): string[] {
  const numbers = new Map<string, number>();
  return names.map((name) => {
    let free = name;
    for (let number = numbers.get(name) ?? first; numbers.has(free); number++) {
      free = `${name}${separator}${number}`;
      numbers.set(name, number + 1);
    }
    numbers.set(free, numbers.get(free) ?? first);
    return free;
  });
}

const anchorTo = (id: string): Element => ({
  type: "element",
  tagName: "a",
  properties: { className: ["heading-anchor"], href: `#${id}`, ariaHidden: "true", tabIndex: -1 },
  children: [],
});

const levelOf = ({ tagName }: Element) => Number(tagName.slice(1));

/** The highest headings come right below the title: many writers begin at the second. A page's have anchors. */
export function rehypeHeadings(top: number, isPage: boolean, path: string) {
  return (tree: Root) => {
    const headings: Element[] = [];
    visitParents(tree, "element", (element) => {
      // Footnotes' heading has an id already.
      if (/^h[1-6]$/.test(element.tagName) && !element.properties.id) headings.push(element);
    });
    const highest = Math.min(...headings.map(levelOf));
    const slugs = headings.map(slugOf);
    const ids = distinct(slugs.map(shortened), "--", 2).map((name) => PREFIX + name);
    const fragments = distinct(slugs, "-", 1).map((name) => `#${encodeURI(name)}`);
    leadLinks(tree, isPage ? "" : path, new Map(fragments.map((fragment, index) => [fragment, ids[index]])));
    for (const [index, heading] of headings.entries()) {
      const depth = levelOf(heading) - highest;
      heading.tagName = `h${Math.min(top + depth, 6)}`;
      addClass(heading, `depth-${depth + 1}`);
      if (isPage) addAnchor(heading, ids[index] ?? "");
    }
  };
}

const shortened = (slug: string) => Array.from(slug).slice(0, LONGEST_NAME).join("");

/** A card has no anchors: its links lead to the page. */
function leadLinks(tree: Root, path: string, ids: ReadonlyMap<string, string | undefined>): void {
  visitParents(tree, { tagName: "a" }, ({ properties }: Element) => {
    const id = ids.get(String(properties.href));
    if (id) properties.href = `${path}#${id}`;
  });
}

function addAnchor(heading: Element, id: string): void {
  heading.properties.id = id;
  heading.children.push(anchorTo(id));
}
