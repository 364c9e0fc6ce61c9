import { type RefObject, useEffect } from "react";

const SEARCHED = ".card-title, .card-text, .card-about [data-category]";
const NOT_SEARCHED = "button, .code-language";
/**
 * Skips the remaining parts of the cards after this many highlighted hits: a search for one letter matches everywhere,
 * and painting each hit takes time.
 */
const MAX_HITS = 3_000;
/** Painting the hits after every keystroke would delay typing. */
const DEBOUNCE_MS = 250;

/** Highlights the searched text in the cards, without changing their markup. */
export function useMarkedHits(list: RefObject<Element | null>, text: string, cards: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new cards contain new text
  useEffect(() => {
    if (typeof Highlight === "undefined") return;
    const timer = setTimeout(() => {
      const highlight = new Highlight();
      for (const part of text && list.current ? list.current.querySelectorAll(SEARCHED) : []) {
        if (highlight.size < MAX_HITS) for (const hit of hitsIn(part, text)) highlight.add(hit);
      }
      CSS.highlights.set("search", highlight);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [list, text, cards]);
  useEffect(() => () => void globalThis.CSS.highlights?.delete("search"), []);
}

/** Like the database's `private.fold_case`, but doesn't compose letters, so that offsets stay valid in `text`. */
function foldCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

function hitsIn(part: Element, searched: string): StaticRange[] {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const nodes: { node: Node; start: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest(NOT_SEARCHED)) continue;
    nodes.push({ node, start: text.length });
    text += foldCase(node.nodeValue ?? "");
  }
  // Like the database, find accented letters in composed and in decomposed form.
  const forms = new Set([searched.normalize("NFC"), searched.normalize("NFD")].map(foldCase));
  return [...forms].flatMap((form) => rangesOf(form, text, nodes));
}

function rangesOf(form: string, text: string, nodes: { node: Node; start: number }[]): StaticRange[] {
  const ranges: StaticRange[] = [];
  const nodeAt = (index: number) => nodes.findLast(({ start }) => start <= index);
  for (let index = text.indexOf(form); index >= 0; index = text.indexOf(form, index + form.length)) {
    const [first, last] = [nodeAt(index), nodeAt(index + form.length - 1)];
    if (!first || !last) break;
    ranges.push(
      new StaticRange({
        startContainer: first.node,
        startOffset: index - first.start,
        endContainer: last.node,
        endOffset: index + form.length - last.start,
      }),
    );
  }
  return ranges;
}
