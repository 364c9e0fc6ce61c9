import { type RefObject, useEffect } from "react";
import { foldCase } from "./search/search.ts";

const SEARCHED = ".entry-title, .entry-text, .entry-about [data-category]";
const NOT_SEARCHED = "button, .code-language";
/** A single letter is found everywhere, and each hit is painted. */
const MOST_HITS = 3_000;
/** Between two keys: painting the hits of the first would delay the letter of the second. */
const TYPING_MS = 250;

export function useMarkedHits(list: RefObject<Element | null>, text: string, cards: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other cards have other texts
  useEffect(() => {
    if (typeof Highlight === "undefined") return undefined;
    const pause = setTimeout(() => {
      const highlight = new Highlight();
      for (const part of text && list.current ? list.current.querySelectorAll(SEARCHED) : []) {
        if (highlight.size < MOST_HITS) for (const hit of hitsIn(part, foldCase(text))) highlight.add(hit);
      }
      CSS.highlights.set("search", highlight);
    }, TYPING_MS);
    return () => clearTimeout(pause);
  }, [list, text, cards]);
  useEffect(() => () => void globalThis.CSS.highlights?.delete("search"), []);
}

function hitsIn(part: Element, folded: string): StaticRange[] {
  const hits: StaticRange[] = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const nodes: { node: Node; start: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest(NOT_SEARCHED)) continue;
    nodes.push({ node, start: text.length });
    text += foldCase(node.nodeValue ?? "");
  }
  const placeOf = (at: number) => nodes.findLast(({ start }) => start <= at);
  for (let at = text.indexOf(folded); at >= 0; at = text.indexOf(folded, at + folded.length)) {
    const [first, last] = [placeOf(at), placeOf(at + folded.length - 1)];
    if (!first || !last) break;
    hits.push(
      new StaticRange({
        startContainer: first.node,
        startOffset: at - first.start,
        endContainer: last.node,
        endOffset: at + folded.length - last.start,
      }),
    );
  }
  return hits;
}
