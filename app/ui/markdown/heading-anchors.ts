import type { Element, ElementContent, Root } from "hast";

const LONGEST_SLUG = 60;

/** Keeps a heading from taking the id of anything else on the page. */
const PREFIX = "section-";

function textOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
}

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

/** Gives each heading an id and a link to itself. Footnotes have a heading with an id already. */
export function rehypeHeadingAnchors() {
  return (tree: Root) => {
    const used = new Map<string, number>();
    const visit = (node: Root | ElementContent): void => {
      if (node.type !== "element" && node.type !== "root") return;
      if (node.type === "element" && /^h[1-6]$/.test(node.tagName) && !node.properties.id) {
        const slug = slugOf(node);
        const count = (used.get(slug) ?? 0) + 1;
        used.set(slug, count);
        const id = `${PREFIX}${slug}${count > 1 ? `--${count}` : ""}`;
        node.properties.id = id;
        node.children.push(anchorTo(id));
        return;
      }
      for (const child of node.children) visit(child as ElementContent);
    };
    visit(tree);
  };
}
