import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { itemPath } from "../../common/data/addresses.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { filePath } from "../../common/kinds/kind-definition.ts";
import { migrate, readMigrations } from "../../server/postgres/migrations.ts";
import { EACH_KIND, exampleRow } from "../support/example-rows.ts";
import { startExternalServer } from "../support/external-server.ts";
import { SITE, startTestApp } from "../support/test-app.ts";

const ID = "3d6785ad-147e-40bd-ab59-cd3aeb847502";
const DIGITS = ID.slice(-12);
const SAME_DIGITS = `00000000-0000-4000-8000-${DIGITS}`;
/** Its words need an encoding in URLs. */
const TITLE = "Größe: 語 & more";
const WORDS = "große-語-more";

const site = await startTestApp();
afterAll(() => site.stop());
let author = "";

beforeAll(async () => {
  author = await site.addMember({ username: "ada", full_name: "Ada Lovelace", featured: true });
  for (const kind of KINDS) await site.add(kind.table, exampleRow(kind, author, { id: ID, title: TITLE }));
});

describe.each(EACH_KIND)("an item in %s", (table, kind) => {
  test.each([
    DIGITS,
    ID,
    SAME_DIGITS,
    `${WORDS}-${DIGITS}`,
    `the-words-decide-nothing-${DIGITS}`,
    `x-${DIGITS.toUpperCase()}`,
    `-${DIGITS}`,
  ])("is shown at /%s below its list, with its readable address as the canonical link", async (segment) => {
    const page = await site.eventually(`${kind.path}/${encodeURIComponent(segment)}`);
    const canonical = `${SITE}${kind.path}/${encodeURIComponent(WORDS)}-${DIGITS}`;
    expect(page).toContain(`<link rel="canonical" href="${canonical}"/>`);
    expect(page).toContain(`<article id="${ID}"`);
  });

  test.each([DIGITS.slice(1), `x${DIGITS}`, `${DIGITS}-x`, `0${DIGITS}`, "x-000000000000"])(
    "is not shown at /%s",
    async (segment) => expect((await site.ask(`${kind.path}/${segment}`)).status).toBe(404),
  );

  test("has its file at each form of its address", async () => {
    const file = filePath(kind, { ...exampleRow(kind, author), id: ID } as never);
    const ending = file?.slice(file.lastIndexOf("."));
    if (ending === undefined) return;
    const texts = [DIGITS, ID, encodeURIComponent(`${WORDS}-${DIGITS}`)].map(async (segment) => {
      const response = await site.ask(`${kind.path}/${segment}${ending}`);
      expect(response.status, segment).toBe(200);
      return response.text();
    });
    expect(new Set(await Promise.all(texts)).size).toBe(1);
    expect((await site.ask(`${kind.path}/x${ending}`)).status).toBe(404);
  });

  test("keeps its digits to itself: an insert of an id with the same ones is rejected", async () => {
    const row = exampleRow(kind, author, { id: SAME_DIGITS });
    await expect(site.add(table, row)).rejects.toMatchObject({ code: "23505" });
  });

  test("is found with one scan of the unique index", async () => {
    await site.admin.query("set enable_seqscan = off");
    const { rows } = await site.admin.query(
      `explain select from public.${table} where right(id::text, 12) = '${DIGITS}'`,
    );
    await site.admin.query("reset enable_seqscan");
    expect(JSON.stringify(rows)).toContain(`${table}_address_idx`);
  });
});

test("no page, feed, sitemap or file links to an item by its whole id", async () => {
  const items = KINDS.map((kind) => itemPath(kind, { id: ID, title: TITLE }));
  const pages = ["/", "/search?q=more", "/people", "/profile/ada", ...items].flatMap((path) => [
    path,
    // React Router requests a page's data at this address.
    path === "/" ? "/_.data" : path.replace(/(\?|$)/, ".data$1"),
  ]);
  const lists = KINDS.flatMap(({ path }) => [path, `${path}?q=more`, `${path}?author=@ada`]);
  const files = KINDS.flatMap((kind) => {
    const file = filePath(kind, { ...exampleRow(kind, author), id: ID, title: TITLE } as never);
    return file ? [file] : [];
  });
  const formats = ["/llms.txt", "/profile/ada.json", "/profile/ada.vcf", "/sitemap.xml", "/robots.txt"];
  const feeds = KINDS.flatMap(({ feed }) => (feed ? [feed, `/profile/ada${feed}`] : []));
  const sitemaps = KINDS.map(({ path }) => `/sitemaps${path}-1.xml`);
  for (const path of [...pages, ...lists, ...files, ...formats, ...feeds, ...sitemaps]) {
    const text = await site.eventually(path);
    for (const kind of KINDS)
      expect(text.includes(`${kind.path}/${ID}`), `${kind.path} in ${path}`).toBe(false);
  }
  const linked = await Promise.all(["/", ...sitemaps].map((path) => site.eventually(path)));
  for (const item of items) expect(linked.join("")).toContain(item);
});

test("an upgrade stops before it changes a table whose items have ids that end in the same digits, and names them", async () => {
  const server = await startExternalServer();
  try {
    const connectionString = await server.createDatabase();
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      const all = await readMigrations();
      const before = all.filter(({ version }) => version < "20261128150000");
      await migrate(client, before);
      const { rows } = await client.query<{ id: string }>(
        "insert into auth.users (id, email) values (gen_random_uuid(), 'ada@example.com') returning id",
      );
      for (const id of [ID, SAME_DIGITS])
        await client.query(
          "insert into public.articles (id, author_id, title, content) values ($1, $2, 'Title', 'Text')",
          [id, rows[0]?.id],
        );
      await expect(migrate(client, all)).rejects.toThrow(`The ids ${SAME_DIGITS} and ${ID} in articles`);
      const { rows: found } = await client.query("select to_regproc('public.find_item') as function");
      expect(found).toEqual([{ function: null }]);
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
  }
});
