import type { Html, Root } from "mdast";
import { SKIP, visitParents } from "unist-util-visit-parents";

const OPENING = "<!--";
/** Code spans, fences and comments begin with one of these. Longer runs of backquotes are rare. */
const MARK = /(?<!`)`{1,10}(?!`)|^ {0,3}~{3,10}(?!~)|<!--/gm;

/** Removes HTML comments from the page. Other HTML is shown as text, so it stays. */
export function remarkComments() {
  return (tree: Root) =>
    visitParents(tree, "html", (node: Html, ancestors) => {
      const value = withoutComments(node.value);
      if (value.trim()) {
        node.value = value;
        return undefined;
      }
      const siblings = ancestors.at(-1)?.children ?? [];
      const index = siblings.indexOf(node);
      siblings.splice(index, 1);
      return [SKIP, index];
    });
}

/** Markdown without its HTML comments. Takes linear time, and leaves code alone. */
export function withoutComments(markdown: string): string {
  const neverClosed = new Set<string>();
  let result = "";
  let kept = 0;
  const mark = new RegExp(MARK);
  for (let match = mark.exec(markdown); match; match = mark.exec(markdown)) {
    const opening = match[0].trimStart();
    if (opening === OPENING) {
      // `<!-->` and `<!--->` are whole comments.
      const end = markdown.indexOf("-->", match.index + 2);
      if (end === -1) break;
      result += markdown.slice(kept, match.index);
      kept = mark.lastIndex = end + 3;
    } else if (!neverClosed.has(opening)) {
      const [character] = opening;
      const closing = new RegExp(`(?<!${character})${opening}(?!${character})`, "g");
      closing.lastIndex = mark.lastIndex;
      if (closing.test(markdown)) mark.lastIndex = closing.lastIndex;
      else neverClosed.add(opening);
    }
  }
  return result + markdown.slice(kept);
}
