import { expect, test } from "vitest";
import { renderMarkdown } from "../markdown/markdown.ts";
import { describeHtml, toDescription } from "./description.ts";

test("a description contains an article's text without its markup", () => {
  const html = renderMarkdown(
    "# Plans\n\nRead *EXPLAIN* from the [inside](https://x.example) out & ask `why`.\n\n- one\n- two",
  );
  expect(describeHtml(html)).toBe("Plans Read EXPLAIN from the inside out & ask why. one two");
});

test("HTML in inline code appears as text in the description", () => {
  const html = renderMarkdown("`</script><script>alert(\"1\")</script>` & 'quoted'");
  expect(describeHtml(html)).toBe(`</script><script>alert("1")</script> & 'quoted'`);
});

test("a description omits code blocks", () => {
  expect(describeHtml(renderMarkdown("Before.\n\n```sql\nselect 1 < 2;\n```\n\nAfter."))).toBe(
    "Before. After.",
  );
});

test("a description omits footnotes and the links to them", () => {
  expect(describeHtml(renderMarkdown("Said[^1] and done.\n\n[^1]: By me."))).toBe("Said and done.");
});

test("a long description is cut between words", () => {
  const text = toDescription("word ".repeat(100));
  expect(text.length).toBeLessThanOrEqual(200);
  expect(text).toMatch(/^(word )+word…$/);
});

test("a long description without spaces is cut without splitting an emoji", () => {
  expect(toDescription("😀".repeat(500))).toBe(`${"😀".repeat(199)}…`);
});
