// A kind of content that only this test adds, in a real database: everything that members and readers do with its items.
import "../support/add-talks.ts";
import { Hono } from "hono";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterAll, expect, test } from "vitest";
import { ContentPage } from "../../app/content/content-page.tsx";
import { ItemPage } from "../../app/content/item/item-page.tsx";
import { loadItem } from "../../app/content/item/load-item.server.ts";
import { loadList } from "../../app/content/list/load-list.server.ts";
import { TopBar } from "../../app/document/top-bar.tsx";
import { DeletionProvider } from "../../app/history/deletion-context.tsx";
import { readDeleted, readVersionRow, readVersions, restoreRow } from "../../app/history/versions.ts";
import { type ImportSite, planImport, runImport } from "../../app/import/index.ts";
import { archiveFiles, zipTexts } from "../../app/portability/export/archive.ts";
import { readMemberContent } from "../../app/portability/export/member-content.ts";
import { fieldOf } from "../../app/ui/field.tsx";
import { createDataClient, type DataClient } from "../../common/data/client.ts";
import { searchContent } from "../../common/data/content-reads.ts";
import { deleteRow, upsertItem } from "../../common/data/content-writes.ts";
import { emptyValues, toColumns, toValues } from "../../common/data/form-values.ts";
import { tableNamed } from "../../common/data/table-named.ts";
import type { PageServices } from "../../common/page-services.ts";
import { createFeeds } from "../../server/feeds/feeds.ts";
import { createFormats } from "../../server/formats/formats.ts";
import { readMigrations } from "../../server/postgres/migrations.ts";
import { startTestRest } from "../support/rest.ts";
import { TALKS_MIGRATION, type Talk, talks, talksWithComponents } from "../support/talks.tsx";

const SITE = "https://site.test";
const rest = await startTestRest([...(await readMigrations()), TALKS_MIGRATION]);
const ada = await rest.signedIn();
const eve = await rest.signedIn();
afterAll(() => rest.stop());

const clientOf = (key: string): DataClient =>
  createDataClient({ url: "http://techfolio.test", key }, async (input, init) => {
    const request = new Request(input, init);
    request.headers.set("apikey", rest.keys.anonKey);
    return rest.app.request(request);
  });
const visitor = clientOf(rest.keys.anonKey);
const asAda = clientOf(ada.token);
const asEve = clientOf(eve.token);

const site = { title: "Site", url: SITE, backend: { url: "", key: "" }, footerLinks: [] };
const context = {
  data: rest.reader,
  site,
  render: async (jobs: { text: string }[]) => jobs.map(({ text }) => `<p>${text}</p>`),
  logFailure: (event: string, error: unknown) => {
    throw new Error(event, { cause: error });
  },
} as unknown as PageServices;

const id = "00000000-0000-4000-8000-000000000001";
const FIELDS = {
  title: "Indexes that lie",
  event: "PGConf",
  slides: "https://slides.test/1",
  held_on: "2026-01-01",
  level: "expert",
  seats: 80,
  topics: ["sql", "indexes"],
  is_recorded: true,
  notes: "A *partial* index.",
};

const NO_UPLOADS = { uploads: [], uploadProblem: "", send: () => undefined };

const save = (client: DataClient, owner: string, values: ReturnType<typeof emptyValues>, itemId = id) =>
  upsertItem(client, "test_talks", { ...toColumns(talks, values), id: itemId, profile_id: owner });

async function stored(itemId = id): Promise<Talk | undefined> {
  const read = tableNamed(visitor, "test_talks").select<string, Talk>("*").eq("id", itemId);
  return (await read.throwOnError()).data[0];
}

async function search(text: string) {
  const query = { text, author: "", sort: "desc", cursor: null, size: 10 } as const;
  return (await searchContent(rest.reader, "test_talks", query)).items;
}

/** Returns the services that an import without pictures uses. */
const importSite = (userId: string, data: DataClient): ImportSite => ({
  userId,
  data,
  pictures: {
    fit: () => Promise.reject(new Error("There are no pictures")),
    list: async () => [],
    store: async () => {},
  },
});

/** Adds what the application sets for each request. */
const withTitle = (routes: Hono) =>
  new Hono()
    .use(async (c, next) => {
      c.set("siteTitle", "Site");
      await next();
    })
    .route("/", routes);

const markupOf = (path: string, element: React.ReactNode) =>
  renderToStaticMarkup(
    <RouterProvider
      router={createMemoryRouter([{ path, element: <DeletionProvider>{element}</DeletionProvider> }], {
        initialEntries: [path],
      })}
    />,
  );

test("a member creates an item, and the list's search finds it", async () => {
  await save(asAda, ada.id, toValues(talks, FIELDS));
  expect(await stored()).toMatchObject({ ...FIELDS, profile_id: ada.id });
  expect((await search("pgconf")).map((item) => item.id)).toEqual([id]);
  expect((await search("partial* index")).map((item) => item.id)).toEqual([id]);
  expect(await search("keynote")).toEqual([]);
});

test("another member can neither change nor delete the item", async () => {
  await expect(save(asEve, eve.id, toValues(talks, { ...FIELDS, title: "Mine" }))).rejects.toThrow();
  expect(await deleteRow(asEve, "test_talks", id)).toBeNull();
  expect(await stored()).toMatchObject(FIELDS);
});

test("an item with empty optional fields is saved with nulls, and shown with empty fields", async () => {
  const other = crypto.randomUUID();
  const values = { ...emptyValues(talks), title: "Title", event: "Event" };
  await save(asAda, ada.id, values, other);
  const row = await stored(other);
  expect(row).toMatchObject({
    slides: null,
    held_on: null,
    level: null,
    seats: null,
    notes: null,
    topics: [],
  });
  expect(toValues(talks, row ?? {})).toEqual(values);
  await deleteRow(asAda, "test_talks", other);
});

test("the list, the item's page and the top bar show the new kind and its item", async () => {
  const { list } = await loadList(talksWithComponents, new URLSearchParams(), context);
  const listPage = markupOf("/test-talks", <ContentPage kind={talksWithComponents} result={list} />);
  expect(listPage).toContain("Indexes that lie");
  expect(listPage).toContain('<time dateTime="2026-01-01">Jan 1, 2026</time>');
  const item = await loadItem(talks as never, id, context);
  if (!item) throw new Error("The item is missing");
  const itemPage = markupOf(`/test-talks/${id}`, <ItemPage kind={talksWithComponents} data={item} />);
  expect(itemPage).toContain("<p>A *partial* index.</p>");
  expect(itemPage).toContain(`href="/test-talks/indexes-that-lie-${id.slice(-12)}.md"`);
  expect(markupOf("/", <TopBar title="Site" logo={undefined} />)).toContain('href="/test-talks"');
});

test("the form has the new kind's fields with the rules of their columns", () => {
  const { emptyValues: values, columns, Fields } = talksWithComponents;
  const field = fieldOf(values, () => undefined, columns);
  const form = markupOf("/test-talks", <Fields values={values} field={field} formUploads={NO_UPLOADS} />);
  expect(form).toMatch(/<input [^>]*required="" maxLength="1000" name="event"/);
  expect(form).toMatch(/<input [^>]*type="date"[^>]*name="held_on"/);
  expect(form).toMatch(/<input [^>]*type="url"[^>]*name="slides"/);
  expect(form).toContain('<option value="expert">Expert</option>');
});

test("the item has a file, and is in the feeds, llms.txt, the sitemap and its owner's JSON Resume", async () => {
  const formats = withTitle(createFormats(rest.reader, SITE, { url: "", key: "key" }));
  const feeds = withTitle(createFeeds(rest.reader, context.render as never, SITE));
  const file = await formats.request(`/test-talks/${id}.md`);
  expect(await file.text()).toBe(FIELDS.notes);
  expect(file.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  for (const path of ["/test-talks/feed.xml", `/profile/${ada.id}/test-talks/feed.xml`]) {
    const feed = await (await feeds.request(path)).text();
    expect(feed).toContain("<title>Indexes that lie</title>");
    expect(feed).toContain(`<link rel="self" type="application/atom+xml" href="${SITE}${path}"/>`);
  }
  expect(await (await formats.request("/llms.txt")).text()).toContain(`${SITE}/test-talks/feed.xml`);
  expect(await (await feeds.request("/sitemaps/test-talks-1.xml")).text()).toContain(
    `${SITE}/test-talks/indexes-that-lie-${id.slice(-12)}`,
  );
  const resume = await (await formats.request(`/profile/${ada.id}.json`)).json();
  const entry = {
    name: FIELDS.title,
    startDate: "2026-01-01",
    url: `${SITE}/test-talks/indexes-that-lie-${id.slice(-12)}`,
  };
  expect(resume.projects).toEqual([entry]);
});

test("a download restores the item of a member in another member's account", async () => {
  const archive = await zipTexts(archiveFiles(await readMemberContent(asAda, ada.id)));
  const eveSite = importSite(eve.id, asEve);
  const files = [new File([archive], "ada.zip")];
  const plan = await planImport(files, eveSite);
  const lines = plan.lines.filter(({ group }) => group === "Create");
  expect(lines.map(({ title }) => title)).toEqual([FIELDS.title]);
  const outcome = await runImport(eveSite, { lines, signal: new AbortController().signal, onStored() {} });
  expect(outcome).toEqual({ imported: 1, failed: [], stopped: null });
  const read = tableNamed(visitor, "test_talks").select<string, Talk>("*").eq("profile_id", eve.id);
  const [imported] = (await read.throwOnError()).data;
  const original = await stored();
  expect(imported).toMatchObject({ ...FIELDS, created_at: original?.created_at });
  const again = await planImport(files, eveSite);
  expect(again.lines.filter(({ group }) => group !== "Replace")).toEqual([]);
});

test("an import names each value that breaks the rules of its column", async () => {
  const bad = [
    { held_on: "2026-02-30" },
    { level: "guru" },
    { seats: 501 },
    { slides: "javascript:alert(1)" },
    { topics: ["x".repeat(1_001)] },
    { title: "x".repeat(1_001) },
  ];
  const entries = bad.map((change, index) => ({ ...FIELDS, ...change, file: `test-talks/${index}.md` }));
  const records = new File([JSON.stringify(entries)], "test-talks.json");
  const notes = entries.map(({ file }) => {
    const each = new File(["Notes"], file);
    return Object.defineProperty(each, "webkitRelativePath", { value: file });
  });
  const plan = await planImport([records, ...notes], importSite(ada.id, asAda));
  expect(plan.lines).toEqual([]);
  expect(plan.leftOut.map(({ reason }) => reason)).toEqual([
    "has a date that is not a day like 2026-11-05: 2026-02-30",
    "uses an unsupported level: guru",
    "has a number outside 1 to 500 in its seats",
    "has a URL scheme that is not allowed in its slides",
    "has more than 1,000 characters in its topics",
    "has more than 1,000 characters in its title",
  ]);
});

test("a changed and then deleted item has earlier versions, and can be restored", async () => {
  await save(asAda, ada.id, toValues(talks, { ...FIELDS, held_on: null }));
  expect(await stored()).toMatchObject({ held_on: null });
  const [version] = await readVersions(asAda, id);
  expect(await readVersionRow(asAda, version?.id ?? "")).toMatchObject(FIELDS);
  const before = await stored();
  expect(await deleteRow(asAda, "test_talks", id)).toEqual(before);
  expect(await stored()).toBeUndefined();
  expect(await readDeleted(asAda, ["test_talks"])).toContainEqual(
    expect.objectContaining({ item_id: id, title: FIELDS.title }),
  );
  if (!before) throw new Error("The item is missing");
  expect(await restoreRow(asAda, talks, { ...before })).toBe("restored");
  expect(await stored()).toMatchObject({ ...FIELDS, held_on: null, created_at: before.created_at });
});
