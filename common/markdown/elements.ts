import type { Element, Parents, Root } from "hast";
import { visitParents } from "unist-util-visit-parents";
import { safeAddress } from "../safe-address.ts";

/** The button that copies the code before it, described by the code's language. `useCopyButtons` handles its clicks. */
const copyCodeButton = (language: string | undefined): Element => ({
  type: "element",
  tagName: "button",
  properties: {
    type: "button",
    className: ["copy-code"],
    ariaLabel: "Copy code",
    ...(language && { "aria-description": language }),
  },
  children: [{ type: "text", value: "Copy" }],
});

/** Prepares the elements that need more than Markdown says, and empties addresses that aren't allowed. */
export function rehypeElements() {
  return (tree: Root) => {
    const scrolling: { element: Element; parent: Parents }[] = [];
    visitParents(tree, "element", (element, parents) => {
      const { tagName, properties } = element;
      for (const name of ["href", "src"] as const) {
        if (name in properties) properties[name] = safeAddress(String(properties[name] ?? ""));
      }
      if (tagName === "a") properties.rel = ["noopener", "noreferrer", "nofollow", "ugc"];
      else if (tagName === "img") preparePicture(element);
      else if (tagName === "input") properties.ariaLabel = properties.checked ? "Done" : "To do";
      const parent = parents.at(-1);
      if (parent && (tagName === "pre" || tagName === "table")) scrolling.push({ element, parent });
    });
    for (const { element, parent } of scrolling) {
      const frame = element.tagName === "pre" ? frameCode(element) : frameTable(element);
      parent.children.splice(parent.children.indexOf(element), 1, frame);
    }
  };
}

function preparePicture({ properties }: Element): void {
  properties.alt ??= "";
  // An empty address would make the browser load the page itself as a picture.
  if (properties.src === "") delete properties.src;
  properties.loading ??= "lazy";
  properties.decoding ??= "async";
  properties.referrerPolicy = "no-referrer";
}

/** Code and tables are tab stops, because they may scroll. `useScrollStops` removes the tab stops of those that don't. */
function frameCode(code: Element): Element {
  code.properties.tabIndex = 0;
  return frame({ className: ["code-frame"] }, [code, copyCodeButton(languageOf(code))]);
}

/** The language that the member has written after the fence, such as "sql". */
function languageOf({ children }: Element): string | undefined {
  const [code] = children;
  const classes =
    code?.type === "element" && Array.isArray(code.properties.className) ? code.properties.className : [];
  return classes.map((name) => /^language-(.+)$/.exec(String(name))?.[1]).find(Boolean);
}

function frameTable(table: Element): Element {
  const { dir } = table.properties;
  delete table.properties.dir;
  return frame({ className: ["table-scroll"], ...(dir !== undefined && { dir }), tabIndex: 0 }, [table]);
}

const frame = (properties: Element["properties"], children: Element[]): Element => ({
  type: "element",
  tagName: "div",
  properties,
  children,
});
