import { expect, test } from "vitest";
import { escapeXml } from "../xml.ts";
import { type AtomEntry, writeAtom } from "./atom.ts";
import { htmlForFeed } from "./atom-feeds.ts";
import { writeRobots, writeSitemap } from "./sitemaps.ts";

const entry = (html: string, rest: Partial<AtomEntry> = {}): AtomEntry => ({
  uuid: "00000000-0000-4000-8000-000000000001",
  title: "Title",
  url: "https://site.test/articles/1",
  published: "2026-01-01T00:00:00Z",
  updated: "2026-01-02T00:00:00Z",
  author: { name: "Ada", url: "https://site.test/profile/ada" },
  html,
  summary: "Summary",
  ...rest,
});

const feedOf = (entries: AtomEntry[]) =>
  writeAtom({
    uuid: "00000000-0000-4000-8000-000000000000",
    title: "Feed",
    url: "https://site.test/",
    selfUrl: "https://site.test/feed.xml",
    author: { name: "Site", url: "https://site.test/" },
    entries,
  });

test("markup in titles, names and content is escaped in a feed, and invalid characters are removed", () => {
  const hostile = `]]></content><script>alert("1")</script>&amp;\u0000\u0008\uFFFE\uD800`;
  const feed = feedOf([
    entry(hostile, { title: hostile, author: { name: hostile, url: "https://x.test/" } }),
  ]);
  expect(feed).not.toContain("<script>");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters
  expect(feed).not.toMatch(/[\u0000\u0008\uFFFE\uD800]/);
  expect(feed).toContain("]]&gt;&lt;/content&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;");
});

test("a feed names its style sheet between the XML declaration and the root element", () => {
  expect(feedOf([])).toMatch(
    /^<\?xml .*\?>\n<\?xml-stylesheet type="text\/css" href="\/feed\.css"\?>\n<feed /,
  );
});

test("escaping text for XML keeps emoji", () => {
  expect(escapeXml("a😀b")).toBe("a😀b");
});

test("a feed has the date of its newest entry, and an empty feed has a fixed date", () => {
  const entries = [entry("x"), entry("y", { updated: "2026-01-01T00:00:00Z" })];
  expect(feedOf(entries)).toContain("Feed</title>\n<updated>2026-01-02T00:00:00Z</updated>");
  expect(feedOf([])).toContain("<updated>2025-01-01T00:00:00Z</updated>");
});

test("a feed entry has only a summary if its text would make the feed exceed 5 MB", () => {
  const feed = feedOf([entry("a".repeat(3_000_000)), entry("b".repeat(3_000_000)), entry("c")]);
  expect(feed.match(/<content /g)).toHaveLength(2);
  expect(feed.match(/<summary>Summary<\/summary>/g)).toHaveLength(1);
  expect(feed).not.toContain("bbb");
  expect(feed).toContain('<content type="html">c</content>');
});

test("in an article's HTML for a feed, URLs are absolute and buttons are removed", () => {
  const html =
    '<a href="/articles">1</a><a href="#note">2</a><img src="a.png?b=1&amp;c=2" alt="x"/> href=&quot;/x&quot;';
  expect(htmlForFeed(html, "https://site.test/articles/7")).toBe(
    '<a href="https://site.test/articles">1</a><a href="https://site.test/articles/7#note">2</a>' +
      '<img src="https://site.test/articles/a.png?b=1&amp;c=2" alt="x"/> href=&quot;/x&quot;',
  );
  expect(htmlForFeed('<pre>x</pre><button type="button">Copy</button>', "https://site.test/")).toBe(
    "<pre>x</pre>",
  );
  expect(htmlForFeed('<a href="mailto:a@b.c">x</a><a href="">y</a>', "https://site.test/")).toBe(
    '<a href="mailto:a@b.c">x</a><a href="">y</a>',
  );
});

test("a sitemap lists each URL, with the time of its last change if it is known", () => {
  expect(writeSitemap([{ url: "https://site.test/?a&b", changedAt: "2026-01-01T00:00:00Z" }])).toContain(
    "<url><loc>https://site.test/?a&amp;b</loc><lastmod>2026-01-01T00:00:00Z</lastmod></url>",
  );
  const index = [{ url: "https://site.test/sitemaps/pages.xml" }];
  expect(writeSitemap(index, "sitemapindex", "sitemap")).toContain(
    "<sitemap><loc>https://site.test/sitemaps/pages.xml</loc></sitemap>",
  );
});

test("robots.txt names the sitemap", () => {
  expect(writeRobots("https://site.test")).toContain("Sitemap: https://site.test/sitemap.xml\n");
});
