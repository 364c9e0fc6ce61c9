import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDataClient } from "../../../common/data/client.ts";
import { emptyValues, toColumns, toValues } from "../../../common/data/form-values.ts";
import { readerOf } from "../../../common/data/postgrest-reader.ts";
import type { ContentRow } from "../../../common/data/schema.ts";
import type { KindDefinition } from "../../../common/kinds/kind-definition.ts";
import type { PageServices, Site } from "../../../common/page-services.ts";

interface TalkFields {
  title: string;
  event: string;
  topics: string[];
  is_recorded: boolean;
}

interface Talk extends ContentRow, TalkFields {
  profile_id: string;
}

const talks: KindDefinition<TalkFields, Talk> = {
  table: "test_talks",
  ownerColumn: "profile_id",
  isPublishable: false,
  hasUpdatedAt: false,
  path: "/test-talks",
  name: "Talks",
  itemName: "Talk",
  description: "Talks to listen to.",
  texts: {
    searchPlaceholder: "Search talks...",
    createHeading: "Add New Talk",
    editHeading: "Edit Talk",
    createButton: "Add Talk",
    updateButton: "Update Talk",
    noResults: "No talks found.",
    latest: "Latest Talks",
    noItems: "No talks yet.",
  },
  columns: {
    title: { type: "text", noun: "title", isRequired: true, maxLength: 1_000 },
    event: { type: "text", noun: "event", isRequired: true, maxLength: 1_000 },
    topics: { type: "list", noun: "topics", maxLength: 1_000 },
    is_recorded: { type: "flag", noun: "recording" },
  },
  noteColumn: "event",
  summaryColumn: "event",
  hasSocialCard: false,
  jsonLd: ({ title, event }) => ({ "@type": "PresentationDigitalDocument", name: title, keywords: event }),
  formHeight: "min-h-121",
  isDirty: ({ title, event }) => title !== "" || event !== "",
};

const ADA = "11111111-1111-4111-8111-111111111111";
const TALK: Talk = {
  id: "00000000-0000-4000-8000-000000000001",
  profile_id: ADA,
  title: "Indexes that lie",
  event: "PGConf",
  topics: ["sql", "indexes"],
  is_recorded: true,
  created_at: "2026-01-01T00:00:00+00:00",
};
const PERSON = { id: ADA, username: "ada", full_name: "Ada", featured_skills: [] };

/** A fake backend with one member and one talk. */
const client = createDataClient({ url: "http://backend.test", key: "" }, async (input) => {
  const url = new URL(String(input));
  const table = url.pathname.split("/").at(-1);
  const { searchParams } = url;
  const isNextPage =
    searchParams.getAll("id").some((id) => id.startsWith("gt.")) ||
    searchParams.has("created_at") ||
    Number(searchParams.get("offset")) > 0;
  if (table === "profiles" && !isNextPage) return Response.json([PERSON]);
  if (table !== "test_talks" || isNextPage) return Response.json([]);
  const row = { ...TALK, note: TALK.event, changedAt: TALK.created_at };
  return Response.json([row], { headers: { "content-range": "0-0/1" } });
});
const data = readerOf(client);
const site: Site = {
  title: "Site",
  url: "https://site.test",
  backend: { url: "", key: "" },
  signIn: { password: true, passkeys: false, providers: [] },
  footerLinks: [],
};
const context = { data, site } as PageServices;

beforeAll(async () => {
  // Some modules read `KINDS` when they are loaded, so extend it before importing them.
  vi.resetModules();
  const { KINDS } = await import("../../../common/kinds/index.ts");
  (KINDS as KindDefinition[]).push(talks);
  const { articles } = await import("../../../common/kinds/articles.ts");
  Object.assign(articles.columns, {
    test_subtitle: { type: "text", noun: "subtitle", maxLength: 1_000 },
    read_by: { type: "list", noun: "readers", maxLength: 1_000 },
    is_pinned: { type: "flag", noun: "pin" },
  });
});
afterAll(() => vi.resetModules());

const markupOf = (element: React.ReactNode) =>
  renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: "/", element }])} />);

test("a new kind of content gets routes and is listed in the sitemaps", async () => {
  const { default: routes } = await import("../../routes.ts");
  expect((await routes).map(({ path }) => path)).toEqual(
    expect.arrayContaining(["test-talks", "test-talks/:id"]),
  );
  const { createSitemaps } = await import("../../../server/feeds/sitemaps.ts");
  const sitemaps = createSitemaps(data, (path) => site.url + path);
  expect(await sitemaps.index()).toContain("<loc>https://site.test/sitemaps/test-talks-1.xml</loc>");
  expect(await sitemaps.pages()).toContain("<loc>https://site.test/test-talks</loc>");
  expect(await sitemaps.named("test-talks-1.xml")).toContain(
    "<loc>https://site.test/test-talks/indexes-that-lie-000000000001</loc>",
  );
});

test("the home page and the author's page link to items of a new kind of content", async () => {
  const [{ loadHome }, { HomePage }] = await Promise.all([
    import("../../home/load-home.server.ts"),
    import("../../home/home-page.tsx"),
  ]);
  const home = await loadHome(context);
  expect(home.titles["test_talks"]).toMatchObject([{ title: TALK.title, note: "PGConf" }]);
  const homePage = markupOf(<HomePage home={{ ...home, professionals: [] }} />);
  expect(homePage).toContain("Latest Talks");
  expect(homePage).toContain(`href="/test-talks#${TALK.id}"`);

  const [{ loadPerson }, { PersonPage }] = await Promise.all([
    import("../../people/load-person.server.ts"),
    import("../../people/person-page.tsx"),
  ]);
  const person = await loadPerson("ada", context);
  const page = person && markupOf(<PersonPage data={person} />);
  expect(page).toContain('href="/test-talks/indexes-that-lie-000000000001"');
});

test("an item of a new kind of content has JSON-LD", async () => {
  const { itemJsonLd } = await import("../../document/json-ld.server.ts");
  const item = { ...TALK, profiles: { username: "ada", full_name: "Ada", slug: "ada" } };
  expect(itemJsonLd(site, talks, { item, description: "About", picture: "/cards/site.png" })).toMatchObject({
    "@type": "PresentationDigitalDocument",
    url: "https://site.test/test-talks/indexes-that-lie-000000000001",
    keywords: "PGConf",
  });
});

test("a download contains the items of a new kind of content, and an import would write them unchanged", async () => {
  const { readMemberContent } = await import("../../portability/export/member-content.ts");
  const { archiveFiles, zipTexts } = await import("../../portability/export/archive.ts");
  const { readFiles } = await import("../../import/files/read-files.ts");
  const { planRows } = await import("../../import/plan.ts");
  const archive = new File([await zipTexts(archiveFiles(await readMemberContent(client, ADA)))], "ada.zip");
  const content = await readFiles([archive]);
  expect(content.leftOut).toEqual([]);
  const { lines } = planRows(content, { items: {}, profile: null, skills: [], pictures: new Set() }, ADA);
  const [line] = lines.filter(({ group }) => group === "Create");
  expect(line).toMatchObject({ title: TALK.title, details: ["Talk", "test-talks.json"] });
  expect(line?.writes).toEqual([{ table: "test_talks", row: TALK }]);
});

test("an article's file contains newly added columns, and reading the file restores their values", async () => {
  const { articles } = await import("../../../common/kinds/articles.ts");
  const { itemFileText } = await import("../../../common/kinds/item-file.ts");
  const { readArticle } = await import("../../import/article/read-article.ts");
  const fields = { title: "A", content: "Text", published: true };
  const article = { id: TALK.id, author_id: ADA, created_at: TALK.created_at, updated_at: null, ...fields };
  for (const added of [
    { test_subtitle: "null: a --- b", read_by: ["Ada, L.", "Grace"], is_pinned: true },
    { test_subtitle: null, read_by: [], is_pinned: false },
  ]) {
    const file = articles.file && itemFileText(articles, articles.file, { ...article, ...added });
    const item = readArticle(file ?? "", "articles/a.md", new Date());
    expect(item.fields).toMatchObject({ ...fields, ...added });
    expect(Object.keys(item.fields)).toEqual(Object.keys(articles.columns));
    expect(item.notes).toEqual([]);
  }
});

test("an import leaves out invalid items of a new kind of content, and says why", async () => {
  const { readFiles } = await import("../../import/files/read-files.ts");
  const records = JSON.stringify([
    { ...TALK, event: "" },
    { ...TALK, topics: "sql" },
  ]);
  const { items, leftOut } = await readFiles([new File([records], "test-talks.json")]);
  expect(items).toEqual([]);
  expect(leftOut.map(({ reason }) => reason)).toEqual([
    "has no event",
    "has an entry that cannot be read (number 2)",
  ]);
});

test("an operator can list the items of a new kind of content", async () => {
  const { listContent } = await import("../../../server/cli/content/list-content.ts");
  let printed = "";
  await listContent({
    site: { data: client },
    texts: { type: "test-talks", search: "pgconf" },
    print: (text: string) => {
      printed = text;
    },
  } as never);
  expect(printed).toBe(`${TALK.id}\ttest-talks\t2026-01-01\t-\t\t${TALK.title}`);
});

test("a backup contains the table of a new kind of content", async () => {
  const { DUMPED_TABLES } = await import("../../../server/cli/dump/dumped-tables.ts");
  expect(DUMPED_TABLES).toContain("public.test_talks");
});

test("a form shows a list column as one comma-separated line, and saving stores a list", () => {
  expect(emptyValues(talks)).toEqual({ title: "", event: "", topics: "", is_recorded: false });
  const values = toValues(talks, TALK);
  expect(values).toEqual({
    title: TALK.title,
    event: "PGConf",
    topics: "sql, indexes",
    is_recorded: true,
  });
  expect(toColumns(talks, { ...values, topics: " sql,, joins , " })).toEqual({
    title: TALK.title,
    event: "PGConf",
    topics: ["sql", "joins"],
    is_recorded: true,
  });
});

test("a form shows an empty list and a null column as empty fields, and saves an empty list as a list", () => {
  expect(toValues(talks, { ...TALK, topics: [], event: null })).toMatchObject({ topics: "", event: "" });
  expect(toColumns(talks, emptyValues(talks))).toMatchObject({ topics: [] });
});

test("no module in app, server or scripts outside the folder kinds, except tests, mentions useful_links, code_samples or code_content", () => {
  const root = path.resolve(import.meta.dirname, "../../..");
  const files = ["app", "server", "scripts"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      path.join(folder, file),
    ),
  );
  const others = files.filter(
    (file) => /(?<!\.test)\.(?:ts|tsx|mjs)$/.test(file) && !file.includes("kinds/"),
  );
  expect(others.length).toBeGreaterThan(200);
  const offenders = others.filter((file) =>
    /useful_links|code_samples|code_content/.test(readFileSync(path.join(root, file), "utf8")),
  );
  expect(offenders).toEqual([]);
});
