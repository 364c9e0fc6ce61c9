import { type RefObject, useEffect } from "react";
import { foldCase } from "./search.ts";

const HIGHLIGHT = "search";
/** Not in a style sheet: the build's parser does not know the pseudo-element. */
const STYLES = `
  ::highlight(${HIGHLIGHT}) { background: var(--marker); color: var(--on-marker); }
  @media (forced-colors: active) { ::highlight(${HIGHLIGHT}) { background: Mark; color: MarkText; } }
`;
/** The parts of a card that a search looks at, as far as they are shown. */
const SEARCHED = ".entry-title, .entry-text, .entry-about [data-category]";
const NOT_SEARCHED = "button, .code-language";
const BLOCK = "p, li, pre, td, th, blockquote, h1, h2, h3, h4, h5, h6, [data-category]";
/** A single letter is found everywhere, and each hit is painted. */
const MOST_HITS = 3_000;

/** Lays the marker on what a search found in `list`, where the browser can without touching the texts. */
export function useMarkedHits(list: RefObject<Element | null>, text: string, cards: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other cards have other texts
  useEffect(() => {
    const frame = requestAnimationFrame(() => list.current && markHits(list.current, text));
    return () => cancelAnimationFrame(frame);
  }, [list, text, cards]);
  useEffect(() => () => void globalThis.CSS.highlights?.delete(HIGHLIGHT), []);
}

function markHits(root: Element, text: string): void {
  if (typeof Highlight === "undefined") return;
  const highlight = new Highlight();
  for (const hit of hitsBelow(root, foldCase(text))) {
    if (highlight.size === MOST_HITS) break;
    highlight.add(hit);
  }
  CSS.highlights.set(HIGHLIGHT, highlight);
  addStyles();
}

let hasStyles = false;
function addStyles(): void {
  if (hasStyles) return;
  hasStyles = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  document.adoptedStyleSheets.push(sheet);
}

/** A hit may run through several elements, as in highlighted code, but not from one block into the next. */
function* hitsBelow(root: Element, folded: string): Generator<StaticRange> {
  if (folded === "") return;
  for (const part of root.querySelectorAll(SEARCHED)) {
    for (const nodes of runsOf(part)) {
      // Folding keeps the number of code units.
      const text = foldCase(nodes.map(({ data }) => data).join(""));
      for (let at = text.indexOf(folded); at >= 0; at = text.indexOf(folded, at + folded.length)) {
        const [startContainer, startOffset] = placeOf(nodes, at);
        const [endContainer, last] = placeOf(nodes, at + folded.length - 1);
        yield new StaticRange({ startContainer, startOffset, endContainer, endOffset: last + 1 });
      }
    }
  }
}

/** The text nodes of each block. */
function runsOf(part: Element): Iterable<Text[]> {
  const runs = new Map<Element, Text[]>();
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.closest(NOT_SEARCHED)) continue;
    const block = node.parentElement?.closest(BLOCK) ?? part;
    const run = runs.get(block);
    if (run) run.push(node);
    else runs.set(block, [node]);
  }
  return runs.values();
}

function placeOf(nodes: Text[], at: number): [Text, number] {
  let rest = at;
  for (const node of nodes) {
    if (rest < node.length) return [node, rest];
    rest -= node.length;
  }
  throw new RangeError(`No character ${at}`);
}
