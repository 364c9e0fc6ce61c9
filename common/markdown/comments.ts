import type { Html, Root } from "mdast";
import type { Processor } from "unified";
import { SKIP, visitParents } from "unist-util-visit-parents";

const OPENING = "<!--";
/**
 * The start of a code span, a fenced code block or a comment. Runs of more than 10 backticks or tildes are ignored: each
 * length that is never closed costs a search through the rest of the text.
 */
const MARK = /(?<!`)`{1,10}(?!`)|^ {0,3}~{3,10}(?!~)|<!--/gm;

/** Removes HTML comments. Other HTML stays, because it is shown as text. */
export function remarkComments(this: Processor) {
  return (tree: Root) =>
    visitParents(tree, "html", (node: Html, ancestors) => {
      const rest = withoutComments(node.value);
      if (rest === node.value) return undefined;
      const isMarkdown = node.value.startsWith(OPENING);
      if (rest.trim() && !isMarkdown) {
        node.value = rest;
        return undefined;
      }
      const siblings = ancestors.at(-1)?.children ?? [];
      const index = siblings.indexOf(node);
      // CommonMark treats text after a comment as part of the HTML block. Members mean it as Markdown, so parse it.
      siblings.splice(index, 1, ...(this.parse(rest.trim()) as Root).children);
      return [SKIP, index];
    });
}

/** Removes HTML comments from Markdown, but not from its code spans and fenced code. Runs in linear time. */
export function withoutComments(markdown: string): string {
  const neverClosed = new Set<string>();
  let result = "";
  let kept = 0;
  const mark = new RegExp(MARK);
  for (let match = mark.exec(markdown); match; match = mark.exec(markdown)) {
    const opening = match[0].trimStart();
    if (opening === OPENING) {
      // Start within the opening `<!--`, because `<!-->` and `<!--->` are complete comments.
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
