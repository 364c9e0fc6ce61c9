import { type RefObject, useEffect } from "react";

const SEARCHED = ".entry-title, .entry-text, .entry-about [data-category]";
const NOT_SEARCHED = "button, .code-language";
/** A single letter is found everywhere, and each hit is painted. */
const MOST_HITS = 3_000;
/** Between two keys: painting the hits of the first would delay the letter of the second. */
const TYPING_MS = 250;

/** Paints where `text` is found below the element; `fold` keeps the length of what it folds. */
export function useMarkedHits(
  { text, fold, within }: { text: string; fold(text: string): string; within: RefObject<Element | null> },
  content: unknown,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content has other texts
  useEffect(() => {
    if (typeof Highlight === "undefined") return undefined;
    const pause = setTimeout(() => {
      const highlight = new Highlight();
      for (const part of (text && within.current?.querySelectorAll(SEARCHED)) || []) {
        if (highlight.size < MOST_HITS) for (const hit of hitsIn(part, text, fold)) highlight.add(hit);
      }
      CSS.highlights.set("search", highlight);
    }, TYPING_MS);
    return () => clearTimeout(pause);
  }, [within, text, fold, content]);
  useEffect(() => () => void globalThis.CSS.highlights?.delete("search"), []);
}

function hitsIn(part: Element, looked: string, fold: (text: string) => string): StaticRange[] {
  const hits: StaticRange[] = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const folded = fold(looked);
  const nodes: { node: Node; start: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest(NOT_SEARCHED)) continue;
    nodes.push({ node, start: text.length });
    text += fold(node.nodeValue ?? "");
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
