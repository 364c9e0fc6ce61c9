import { expect, test } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { createAtomFeeds, FEED_KINDS } from "./atom-feeds.ts";

const ids = Array.from(
  { length: 50 },
  (_, count) => `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`,
);
const head = (id: string) => ({
  id,
  title: `Article ${id}`,
  author_id: ids[0],
  created_at: "2026-11-01T00:00:00+00:00",
  updated_at: id === ids[1] ? "2026-11-02T00:00:00+00:00" : null,
  profiles: { username: "ada", full_name: "Ada" },
});

const [kind] = FEED_KINDS as [(typeof FEED_KINDS)[number]];

/** Reads from a stub backend that has 50 articles of this length. Returns the feed and the number of texts read. */
async function feedOf(characters: number) {
  let textsRead = 0;
  let columns: string | null = null;
  const data = readerOf(
    createDataClient({ url: "http://backend.test", key: "" }, async (input) => {
      const { pathname, searchParams } = new URL(String(input));
      if (!pathname.endsWith(`/${kind.table}`)) return Response.json([]);
      const listed = /^in\.\((.*)\)$/.exec(searchParams.get("id") ?? "")?.[1];
      if (listed === undefined) {
        columns = searchParams.get("select");
        return Response.json(ids.map(head));
      }
      const wanted = listed.replaceAll('"', "").split(",");
      textsRead += wanted.length;
      return Response.json(wanted.map((id) => ({ ...head(id), content: "x".repeat(characters) })));
    }),
  );
  const render = async (jobs: { text: string }[]) => jobs.map(({ text }) => `<p>${text}</p>`);
  const feeds = createAtomFeeds(data, render, (path) => `https://site.test${path}`);
  return { text: await feeds.ofSite(kind, "Site"), textsRead: () => textsRead, columns: () => columns };
}

test("a feed contains the whole text of 50 short articles", async () => {
  const { text, textsRead } = await feedOf(100);
  expect(text.match(/<content type="html">/g)).toHaveLength(50);
  expect(textsRead()).toBe(50);
});

test("a feed of 50 long articles reads only the texts that fit, and summarizes the other articles", async () => {
  const { text, textsRead } = await feedOf(500_000);
  expect(text.match(/<content type="html">/g)).toHaveLength(9);
  expect(text.match(/<entry>/g)).toHaveLength(50);
  expect(text.match(/<summary>/g)).toHaveLength(41);
  expect(text).toContain("<summary>Article by Ada.</summary>");
  expect(textsRead()).toBeLessThanOrEqual(15);
});

test("a feed has its own address, its title, and the author and times of each entry", async () => {
  const { text, columns } = await feedOf(100);
  expect(columns()).toBe("id,title,created_at,author_id,updated_at,profiles(username,full_name)");
  expect(text).toContain("<title>Articles · Site</title>");
  expect(text).toContain('<link rel="alternate" type="text/html" href="https://site.test/"/>');
  expect(text).toContain('<link rel="self" type="application/atom+xml" href="https://site.test/feed.xml"/>');
  expect(text).toContain("<author><name>Site</name><uri>https://site.test/</uri></author>");
  const [, first = "", second = ""] = text.split("<entry>");
  expect(first).toContain(`<uri>https://site.test/profile/${ids[0]}</uri>`);
  expect(first).toContain("<updated>2026-11-01T00:00:00+00:00</updated>");
  expect(second).toContain("<updated>2026-11-02T00:00:00+00:00</updated>");
  expect(second).toContain("<published>2026-11-01T00:00:00+00:00</published>");
  expect(text.slice(0, text.indexOf("<entry>"))).toContain("<updated>2026-11-02T00:00:00+00:00</updated>");
});
