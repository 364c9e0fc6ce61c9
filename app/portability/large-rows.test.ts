import { expect, test } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { ADA, siteOf } from "../../tests/support/imports.ts";
import { readStored } from "../import/stored-rows.ts";
import { readPictureUses } from "../pictures/picture-uses.ts";
import { readMemberContent } from "./export/member-content.ts";

const PICTURE = `${ADA}/${"0a".repeat(16)}-8x6.webp`;
const ARTICLES = Array.from({ length: 7 }, (_, n) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  author_id: ADA,
  title: `Article ${n}`,
  content: `![](/storage/v1/object/public/pictures/${PICTURE})`,
  created_at: "2020-01-01T00:00:00Z",
}));

/** A data API that rejects reads of more than two articles, because the response would be too large. */
const data = createDataClient({ url: "http://backend.test", key: "key" }, async (input) => {
  const { pathname, searchParams } = new URL(String(input));
  if (!pathname.endsWith("/articles")) return Response.json([]);
  const [ids, after = ""] = [searchParams.get("id"), /^gt\.(.*)$/.exec(searchParams.get("id") ?? "")?.[1]];
  const found = ARTICLES.filter(({ id }) => (ids?.startsWith("in.") ? ids.includes(id) : id > after));
  const offset = Number(searchParams.get("offset"));
  const rows = found.slice(offset, offset + Number(searchParams.get("limit") ?? 20));
  return rows.length > 2
    ? Response.json({ code: "54000", message: "The response is too large" }, { status: 400 })
    : Response.json(rows);
});

test("a download contains all articles, even if they don't fit into one response", async () => {
  const { items } = await readMemberContent(data, ADA);
  expect(items["articles"]).toEqual(ARTICLES);
});

test("an import finds all stored articles, even if they don't fit into one response", async () => {
  const items = ARTICLES.map(({ id }) => ({ table: "articles", id, path: "", fields: {} })) as never;
  const stored = await readStored(siteOf(data), {
    items,
    profile: null,
    skills: null,
    leftOut: [],
    otherPictures: [],
  });
  expect([...(stored.items["articles"]?.values() ?? [])]).toEqual(ARTICLES);
});

test("the list of a picture's uses contains all articles, even if they don't fit into one response", async () => {
  const uses = await readPictureUses(data, ADA);
  expect(uses.get(PICTURE)?.map(({ title }) => title)).toEqual(ARTICLES.map(({ title }) => title));
});
