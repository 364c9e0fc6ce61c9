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

test("a description of exactly 200 characters isn't cut, and one more is", () => {
  expect(toDescription("x".repeat(200))).toBe("x".repeat(200));
  expect(toDescription("x".repeat(201))).toBe(`${"x".repeat(199)}…`);
  expect(toDescription(` a \n b${" ".repeat(300)}`)).toBe("a b");
});

test("without a space in its second half, a description is cut within the long word", () => {
  const word = "y".repeat(300);
  expect(toDescription(`${"x".repeat(100)} ${word}`)).toBe(`${"x".repeat(100)} ${"y".repeat(98)}…`);
  expect(toDescription(`${"x".repeat(101)} ${word}`)).toBe(`${"x".repeat(101)}…`);
});

test("a description separates headings, cells, quotes and lines by blanks", () => {
  const html = renderMarkdown(
    "# One\n\n## Two\n\n> Three\n\n| a | b |\n| - | - |\n| c | d |\n\nfirst\\\nsecond",
  );
  expect(describeHtml(html)).toBe("One Two Three a b c d first second");
});

test("a description leaves out a code block that is cut off, and the rest of a tag", () => {
  expect(describeHtml("<p>Before</p><pre><code>select")).toBe("Before");
  expect(describeHtml('<p>Before <a href="https://x.example/?a>b')).toBe("Before");
});
