import type { Element, ElementContent, Properties, Root } from "hast";
import { visitParents } from "unist-util-visit-parents";
import { addClass, textOf } from "./rehype-text.ts";

const MAX_ID_LENGTH = 60;

const PREFIX = "section-";
const MIN_HEADINGS_FOR_CONTENTS = 3;

/** Returns the same slug as GitHub, because imported articles may contain tables of contents written for GitHub. */
function slugOf(heading: Element): string {
  const words = textOf(heading)
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]+/gu, "")
    .replace(/\s/g, "-");
  return words || "heading";
}

/** Appends the separator and the next unused number to duplicate names. */
function makeUnique(names: string[], separator: string, first: number): string[] {
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

const anchorTo = (id: string): Element =>
  h("a", { className: ["heading-anchor"], href: `#${id}`, ariaHidden: "true", tabIndex: -1 }, []);

const levelOf = ({ tagName }: Element) => Number(tagName.slice(1));

/**
 * Shifts headings so that the highest is one level below the title: some writers start at level one, others at level
 * two. On an item's page, headings have anchors, and three or more get a table of contents.
 */
export function rehypeHeadings(top: number, isPage: boolean, path: string) {
  return (tree: Root) => {
    const headings: Element[] = [];
    visitParents(tree, "element", (element) => {
      // The footnotes' heading already has an id and keeps it.
      if (/^h[1-6]$/.test(element.tagName) && !element.properties.id) headings.push(element);
    });
    const highest = Math.min(...headings.map(levelOf));
    const slugs = headings.map(slugOf);
    const ids = makeUnique(slugs.map(shortened), "--", 2).map((name) => PREFIX + name);
    const fragments = makeUnique(slugs, "-", 1).map((name) => `#${encodeURI(name)}`);
    updateFragmentLinks(
      tree,
      isPage ? "" : path,
      new Map(fragments.map((fragment, index) => [fragment, ids[index]])),
    );
    for (const [index, heading] of headings.entries()) {
      const depth = levelOf(heading) - highest;
      heading.tagName = `h${Math.min(top + depth, 6)}`;
      addClass(heading, `depth-${depth + 1}`);
      heading.properties.id = isPage ? ids[index] : undefined;
    }
    if (!isPage) return;
    if (headings.length >= MIN_HEADINGS_FOR_CONTENTS) tree.children.unshift(tableOfContents(headings));
    for (const heading of headings) heading.children.push(anchorTo(String(heading.properties.id)));
  };
}

const shortened = (slug: string) => Array.from(slug).slice(0, MAX_ID_LENGTH).join("");

/** Makes links to headings use our ids. Headings in cards have no ids, so there the links lead to the item's page. */
function updateFragmentLinks(tree: Root, path: string, ids: ReadonlyMap<string, string | undefined>): void {
  visitParents(tree, { tagName: "a" }, ({ properties }: Element) => {
    const id = ids.get(String(properties.href));
    if (id) properties.href = `${path}#${id}`;
  });
}

function tableOfContents(headings: Element[]): Element {
  const entries = headings.map((heading) =>
    h("li", { className: heading.properties.className, dir: "auto" }, [
      h("a", { href: `#${heading.properties.id}` }, [{ type: "text", value: textOf(heading).trim() }]),
    ]),
  );
  const summary = h("summary", {}, [{ type: "text", value: "Contents" }]);
  return h("details", { className: ["contents"] }, [summary, h("ul", {}, entries)]);
}

function h(tagName: string, properties: Properties, children: ElementContent[]): Element {
  return { type: "element", tagName, properties, children };
}
