// The requests that reads and writes send to a data API, and what they make of its responses. tests/access and
// tests/operation run the same calls on a database.
import { expect, onTestFinished, test, vi } from "vitest";
import { articles } from "../kinds/articles.ts";
import { usefulLinks } from "../kinds/useful-links.ts";
import { createDataClient } from "./client.ts";
import { findItem, newest, newestTitles, readItem, searchContent } from "./content-reads.ts";
import { deleteRow, upsertItem } from "./content-writes.ts";
import { countForSitemap, itemsForSitemap, peopleForSitemap, SITEMAP_PEOPLE } from "./feed-reads.ts";
import { readOwnItems, setPublished } from "./own-items.ts";
import { featuredPeople, findPerson, findSlugs, searchPeople, skillsByProficiency } from "./people-reads.ts";
import { readerOf } from "./postgrest-reader.ts";
import { addSkill, readProfile, readSkills, updateSkill } from "./profile.ts";
import { ReadError } from "./reader.ts";
import { searchEverything } from "./search-reads.ts";

interface Sent {
  method: string;
  /** The path after `/rest/v1/` with its query, decoded. */
  address: string;
  body: unknown;
}

/** A data API that returns the given responses, one after the other, and then no rows. */
function backendWith(...responses: (Response | object[])[]) {
  const sent: Sent[] = [];
  const headers: Headers[] = [];
  const client = createDataClient({ url: "http://backend.test", key: "key" }, async (input, init) => {
    const request = new Request(input, init);
    const body = await request.text();
    headers.push(request.headers);
    const url = new URL(request.url);
    sent.push({
      method: request.method,
      address: decodeURIComponent(
        `${url.pathname.replace("/rest/v1/", "")}${url.search.replaceAll("+", " ")}`,
      ),
      body: body === "" ? undefined : JSON.parse(body),
    });
    const response = responses.shift() ?? [];
    return response instanceof Response ? response : Response.json(response);
  });
  return {
    client,
    reader: readerOf(client),
    sent,
    headers,
    addresses: () => sent.map(({ address }) => address),
  };
}

const ID = "3d6785ad-147e-40bd-ab59-cd3aeb847502";
const OTHER_ID = "3d6785ad-147e-40bd-ab59-cd3aeb847503";
const ADA = { id: ID, username: "ada", full_name: "Ada Lovelace" };

const item = (number: number) => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  title: `Item ${number}`,
  created_at: `2026-01-0${number}T00:00:00Z`,
});

const tooLarge = () => Response.json({ code: "54000", message: "too large" }, { status: 413 });

test("every request has the backend's key", async () => {
  const { reader, headers } = backendWith();
  await reader.read({ table: "articles", columns: ["*"] });
  expect(headers[0]?.get("apikey")).toBe("key");
  expect(headers[0]?.get("authorization")).toBe("Bearer key");
});

test("a read is repeated after a 503, unless its client says otherwise", async () => {
  let requests = 0;
  const unavailable = async () => {
    requests += 1;
    return requests === 1 ? new Response("", { status: 503 }) : Response.json([]);
  };
  const backend = { url: "http://backend.test", key: "key" };
  const once = createDataClient(backend, unavailable, false);
  await expect(readerOf(once).read({ table: "articles", columns: ["*"] })).rejects.toThrow(ReadError);
  expect(requests).toBe(1);
  requests = 0;
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reading = readerOf(createDataClient(backend, unavailable)).read({ table: "a", columns: ["*"] });
  await vi.runAllTimersAsync();
  expect((await reading).rows).toEqual([]);
  expect(requests).toBe(2);
});

test("a read's conditions, order and limits reach the data API in PostgREST's syntax", async () => {
  const count = { headers: { "content-range": "0-0/7" } };
  const { reader, addresses, headers } = backendWith(Response.json([{ id: "1" }], count));
  const found = await reader.read({
    table: "things",
    columns: ["id", "title"],
    renamed: { note: "level" },
    withAuthor: true,
    filters: [
      { column: "a", test: "eq", value: true },
      { column: "b", test: "in", values: ["x", "y,z"] },
      { column: "c", test: "is null" },
      { column: "d", test: "is not null" },
      {
        anyOf: [
          { column: "e", test: "lte", value: 'say "hi" \\' },
          { column: "f", test: "in", values: ["1", "2"] },
          {
            anyOf: [
              { column: "g", test: "is null" },
              { column: "h", test: "is not null" },
            ],
          },
        ],
      },
    ],
    order: ["a", { column: "b", descending: true }, { column: "c", descending: true, nullsLast: true }],
    limit: 10,
    offset: 20,
    wantsCount: true,
  });
  expect(found).toEqual({ rows: [{ id: "1" }], count: 7 });
  expect(addresses()).toEqual([
    "things?select=id,title,note:level,profiles(username,full_name)" +
      '&a=eq.true&b=in.(x,"y,z")&c=is.null&d=not.is.null' +
      '&or=(e.lte."say \\"hi\\" \\\\",f.in.("1","2"),or(g.is.null,h.not.is.null))' +
      "&order=a.asc,b.desc,c.desc.nullslast&offset=20&limit=10",
  ]);
  expect(headers[0]?.get("prefer")).toContain("count=exact");
});

test("a rejected read throws the database's code", async () => {
  const rejected = () => Response.json({ code: "57014", message: "canceling" }, { status: 500 });
  const { reader } = backendWith(rejected(), rejected());
  await expect(reader.read({ table: "a", columns: ["*"] })).rejects.toMatchObject({ code: "57014" });
  await expect(findItem(reader, "articles", ID)).rejects.toThrow("57014: canceling");
});

test("a search asks for the page after its cursor, in the list's order", async () => {
  const { reader, sent } = backendWith([{ items: [item(1)], older: null }], []);
  const query = { text: "joins", author: "Ada", sort: "desc" as const, cursor: null, size: 2 };
  expect(await searchContent(reader, "articles", query)).toEqual({ items: [item(1)], older: null });
  const cursor = { createdAt: "2026-01-01T00:00:00Z", id: ID };
  await searchContent(reader, "articles", { ...query, sort: "asc", cursor, backwards: true, textLimit: 9 });
  expect(sent.map(({ address, body }) => ({ address, body }))).toEqual([
    {
      address: "rpc/search_items",
      body: {
        content_table: "articles",
        search_text: "joins",
        search_author: "Ada",
        oldest_first: false,
        backwards: false,
        page_size: 2,
      },
    },
    {
      address: "rpc/search_items",
      body: {
        content_table: "articles",
        search_text: "joins",
        search_author: "Ada",
        oldest_first: true,
        backwards: true,
        cursor_time: cursor.createdAt,
        cursor_id: ID,
        page_size: 2,
        text_limit: 9,
      },
    },
  ]);
});

test("if a search's response would be too large, the search continues after the last item of each smaller part", async () => {
  const older = { created_at: "2025-01-01T00:00:00Z", id: ID };
  const { reader, sent } = backendWith(
    tooLarge(),
    [{ items: [item(5), item(4)], older: null }],
    [{ items: [item(3)], older }],
  );
  const query = { text: "", author: "", sort: "desc" as const, cursor: null, size: 4 };
  expect(await searchContent(reader, "articles", query)).toEqual({ items: [5, 4, 3].map(item), older });
  expect(sent.map(({ body }) => body)).toMatchObject([
    { page_size: 4 },
    { page_size: 2 },
    { page_size: 2, cursor_id: item(4).id, cursor_time: item(4).created_at },
  ]);
});

test("a single row that is too large fails instead of being asked for again", async () => {
  const { reader, sent } = backendWith(tooLarge(), tooLarge(), tooLarge(), []);
  const query = { text: "", author: "", sort: "desc" as const, cursor: null, size: 2 };
  await expect(searchContent(reader, "articles", query)).rejects.toMatchObject({ code: "54000" });
  expect(sent.length).toBe(2);
});

test("a read that fails for another reason isn't repeated with fewer rows", async () => {
  const canceled = () => Response.json({ code: "57014", message: "canceling" }, { status: 500 });
  const { reader, sent } = backendWith(canceled());
  const query = { text: "", author: "", sort: "desc" as const, cursor: null, size: 4 };
  await expect(searchContent(reader, "articles", query)).rejects.toMatchObject({ code: "57014" });
  expect(sent.length).toBe(1);
});

test("an item is found by the last digits of its address, and other addresses send no request", async () => {
  const { reader, sent } = backendWith([item(1)]);
  expect(await findItem(reader, "articles", `joins-${ID.slice(-12)}`)).toEqual(item(1));
  expect(await findItem(reader, "articles", "joins")).toBeNull();
  expect(sent).toEqual([
    {
      method: "POST",
      address: "rpc/find_item",
      body: { content_table: "articles", digits: "cd3aeb847502" },
    },
  ]);
  expect(await readItem(reader, "articles", ID)).toBeNull();
  expect(sent[1]?.address).toBe(`articles?select=*,profiles(username,full_name)&id=eq.${ID}`);
});

test("the newest titles are of published items, and of one owner's if asked", async () => {
  const { reader, addresses } = backendWith();
  await newestTitles(reader, articles);
  await newestTitles(reader, usefulLinks, ID, "url");
  expect(addresses()).toEqual([
    "articles?select=id,title,note:created_at&published=eq.true&order=created_at.desc,id.asc&limit=10",
    `useful_links?select=id,title,note:${usefulLinks.noteColumn},address:url&profile_id=eq.${ID}&order=created_at.desc,id.asc&limit=10`,
  ]);
});

test("newest rows that are too large for one response are read in parts", async () => {
  const { reader, addresses } = backendWith(tooLarge(), [item(5), item(4)], [item(3), item(2)]);
  expect(await newest(reader, articles, { columns: ["*"], limit: 4 })).toEqual([5, 4, 3, 2].map(item));
  expect(addresses().map((address) => address.replace(/.*id\.asc/, ""))).toEqual([
    "&limit=4",
    "&limit=2",
    "&offset=2&limit=2",
  ]);
});

test("a failed write or deletion throws, and a deletion returns the row", async () => {
  const rejected = () => Response.json({ code: "42501", message: "denied" }, { status: 403 });
  const { client, sent } = backendWith([], [item(1)], [], rejected(), rejected(), rejected());
  await upsertItem(client, "articles", item(1));
  expect(await deleteRow(client, "articles", ID)).toEqual(item(1));
  expect(await deleteRow(client, "articles", ID)).toBeNull();
  expect(sent).toEqual([
    { method: "POST", address: "articles", body: item(1) },
    { method: "DELETE", address: `articles?id=eq.${ID}&select=*`, body: undefined },
    { method: "DELETE", address: `articles?id=eq.${ID}&select=*`, body: undefined },
  ]);
  await expect(upsertItem(client, "articles", item(1))).rejects.toThrow("denied");
  await expect(deleteRow(client, "articles", ID)).rejects.toThrow("denied");
  const own = { ...item(1), kind: articles, published: true };
  await expect(setPublished(client, own, false)).rejects.toThrow("denied");
});

test("sitemaps list only published items and named people who are listed", async () => {
  const counted = { headers: { "content-range": "0-0/3" } };
  const { reader, addresses } = backendWith(Response.json([{ changedAt: "2026-01-01" }], counted));
  expect(await countForSitemap(reader, articles)).toEqual({ count: 3, changedAt: "2026-01-01" });
  expect(await countForSitemap(reader, { ...usefulLinks, hasUpdatedAt: false })).toEqual({
    count: 0,
    changedAt: undefined,
  });
  await peopleForSitemap(reader, 0);
  expect(addresses()).toEqual([
    "articles?select=changedAt:updated_at&published=eq.true&order=updated_at.desc&limit=1",
    "useful_links?select=changedAt:created_at&order=created_at.desc&limit=1",
    'profiles?select=id,username,updated_at&or=(full_name.neq."",username.neq."")&joined_at=not.is.null' +
      '&left_at=is.null&or=(unlisted_until.is.null,unlisted_until.lte."now")' +
      "&order=username.asc,username_since.asc,created_at.asc,id.asc&limit=999",
  ]);
});

test("a sitemap of items continues where the previous one ends, oldest first", async () => {
  const { reader, addresses } = backendWith([{ id: ID, title: "Joins", changedAt: "2026-01-01" }]);
  expect(await itemsForSitemap(reader, articles, 2)).toEqual([
    { path: "/articles/joins-cd3aeb847502", changedAt: "2026-01-01" },
  ]);
  expect(addresses()).toEqual([
    "articles?select=id,title,changedAt:updated_at&published=eq.true&order=created_at.asc,id.desc&offset=2000&limit=1000",
  ]);
});

test("in a sitemap, a shared username leads to the first person, also if that one is in the previous sitemap", async () => {
  const person = (id: string, username: string) => ({ id, username, updated_at: null });
  const people = [person("a", "ada"), person("b", "ada"), person("c", "grace"), person("d", "not a slug")];
  const { reader, addresses } = backendWith(people, people);
  const pathsOf = async (page: number) => (await peopleForSitemap(reader, page)).map(({ path }) => path);
  expect(await pathsOf(0)).toEqual(["/profile/ada", "/profile/b", "/profile/grace", "/profile/d"]);
  expect(await pathsOf(1)).toEqual(["/profile/b", "/profile/grace", "/profile/d"]);
  expect(addresses()[1]).toContain(`&offset=${SITEMAP_PEOPLE - 1}&limit=${SITEMAP_PEOPLE + 1}`);
});

test("a person is found by their username or id, among those who have signed in", async () => {
  const { reader, addresses } = backendWith(
    [{ ...ADA, left_at: null }],
    [{ ...ADA, left_at: "2026-01-01" }],
    [{ id: OTHER_ID, username: "ada" }],
  );
  expect(await findPerson(reader, "ada")).toEqual({ ...ADA, isFormer: false, slug: "ada" });
  expect(await findPerson(reader, ID)).toEqual({ ...ADA, isFormer: true, slug: ID });
  expect(await findPerson(reader, "not a slug")).toBeNull();
  expect(await findPerson(reader, "grace")).toBeNull();
  const rest = "&joined_at=not.is.null&order=username_since.asc,created_at.asc,id.asc&limit=1";
  expect(addresses().map((address) => address.replace(/select=[^&]*&/, ""))).toEqual([
    `profiles?username=eq.ada${rest}`,
    `profiles?id=eq.${ID}${rest}`,
    "profiles?username=in.(ada)&order=username_since.asc,created_at.asc,id.asc&limit=1000",
    `profiles?username=eq.grace${rest}`,
  ]);
});

test("a slug is the username of the person who has had it longest, and the other people's id", async () => {
  const { reader } = backendWith([
    { id: ID, username: "ada" },
    { id: OTHER_ID, username: "ada" },
  ]);
  const slugOf = await findSlugs(reader, [ADA, { ...ADA, id: OTHER_ID }]);
  expect(slugOf(ADA)).toBe("ada");
  expect(slugOf({ ...ADA, id: OTHER_ID })).toBe(OTHER_ID);
  expect(slugOf({ id: "x", username: null })).toBe("x");
});

test("the usernames of 101 people take two reads, but an empty list takes no read", async () => {
  const { reader, sent } = backendWith();
  await findSlugs(reader, [{ id: "x", username: null }]);
  expect(sent).toEqual([]);
  const people = Array.from({ length: 101 }, (_, index) => ({
    id: String(index),
    username: `name-${index}`,
  }));
  await findSlugs(reader, people);
  expect(sent.map(({ address }) => address.match(/name-/g)?.length)).toEqual([100, 1]);
});

test("the home page's people are featured and listed, each with their best skills", async () => {
  const { reader, addresses } = backendWith([ADA]);
  expect(await featuredPeople(reader)).toEqual([{ ...ADA, skills: [], slug: ID }]);
  const [people, ...others] = addresses();
  expect(people).toContain(
    '&featured=eq.true&joined_at=not.is.null&left_at=is.null&or=(unlisted_until.is.null,unlisted_until.lte."now")' +
      "&order=years_experience.desc.nullslast&limit=3",
  );
  expect(others).toContain(
    `skills?select=category,name,proficiency&profile_id=eq.${ID}&order=proficiency.desc&limit=100`,
  );
});

test("a person's skills are read in the order of their proficiency", async () => {
  const { reader, addresses } = backendWith();
  await skillsByProficiency(reader, ID);
  await skillsByProficiency(reader, ID, 8);
  const address = `skills?select=category,name,proficiency,years_experience&profile_id=eq.${ID}&order=proficiency.desc,name.asc,id.asc`;
  expect(addresses()).toEqual([`${address}&limit=1000`, `${address}&limit=8`]);
});

test("a search for people sends its sort and the place after which it continues", async () => {
  const query = { text: "sql", category: "aws", sort: "name" as const, cursor: null, size: 5 };
  const { reader, sent } = backendWith([ADA], [{ id: ID, username: "ada" }]);
  expect(await searchPeople(reader, query)).toEqual([{ ...ADA, slug: "ada" }]);
  await searchPeople(reader, { ...query, sort: "experience", cursor: { key: "7", id: ID } });
  expect(sent.filter(({ address }) => address === "rpc/search_people").map(({ body }) => body)).toEqual([
    { search_text: "sql", search_category: "aws", sort_by_name: true, page_size: 5 },
    {
      search_text: "sql",
      search_category: "aws",
      sort_by_name: false,
      cursor_key: "7",
      cursor_id: ID,
      page_size: 5,
    },
  ]);
});

test("results of the search over everything link to authors and people by slug", async () => {
  const byAda = { kind: "articles", id: "1", author: ADA, person: null };
  const person = { kind: "people", id: ID, author: null, person: { username: "ada" } };
  const found = { results: [byAda], partial: [person], counts: { articles: 1 }, next: "2" };
  const { reader, sent } = backendWith([found], [{ id: ID, username: "ada" }]);
  const query = { text: "joins", kind: "", cursor: null, size: 5 };
  expect(await searchEverything(reader, query)).toEqual({
    ...found,
    results: [{ ...byAda, author: { ...ADA, slug: "ada" } }],
    partial: [{ ...person, person: { username: "ada", slug: "ada" } }],
  });
  expect(sent.map(({ address }) => address.split("?")[0])).toEqual(["rpc/search_everything", "profiles"]);
  const nothing = await searchEverything(reader, { ...query, kind: "people", cursor: "2" });
  expect(nothing).toMatchObject({ results: [], counts: {}, next: null, partial: [], suggestion: null });
  expect(sent.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    { search_text: "joins", search_kind: "", page_size: 5 },
    { search_text: "joins", search_kind: "people", page_cursor: "2", page_size: 5 },
  ]);
});

test("if the usernames can't be read, results still link to people by id", async () => {
  const failed = () => Response.json({ code: "", message: "failed" }, { status: 500 });
  const { reader } = backendWith([ADA], failed());
  const query = { text: "", category: "", sort: "name" as const, cursor: null, size: 5 };
  expect(await searchPeople(reader, query)).toEqual([{ ...ADA, slug: ID }]);
  const everything = backendWith(
    [{ results: [], partial: [{ id: "1", author: ADA, person: null }] }],
    failed(),
  );
  const found = await searchEverything(everything.reader, { ...query, kind: "" });
  expect(found.partial).toEqual([{ id: "1", author: { ...ADA, slug: ID }, person: null }]);
  const home = backendWith([ADA], failed(), []);
  expect(await featuredPeople(home.reader)).toMatchObject([{ slug: ID }]);
});

test("a member's items of all kinds are merged by time, then by id", async () => {
  const at = (id: string, time: string) => ({
    id,
    title: id,
    created_at: `2026-01-01T00:00:00${time}+00:00`,
  });
  const { client, addresses } = backendWith(
    [
      { ...at("c", ".5"), published: true },
      { ...at("b", ".123456"), published: false },
    ],
    [at("a", ".5"), at("d", ".1234567")],
  );
  const query = { userId: ID, text: "", table: "", state: "" as const, size: 3 };
  const items = await readOwnItems(client, query);
  expect(items.map(({ id, published, kind }) => [id, published, kind.itemName])).toEqual([
    ["a", null, "Link"],
    ["c", true, "Article"],
    ["d", null, "Link"],
  ]);
  expect(addresses()).toContain(
    `articles?select=id,title,created_at,published&author_id=eq.${ID}&order=created_at.desc,id.asc&limit=3`,
  );
});

test("a member's search takes wildcards literally and continues after an item", async () => {
  const { client, addresses } = backendWith();
  const after = { created_at: "2026-01-01T00:00:00+00:00", id: OTHER_ID };
  const query = {
    userId: ID,
    text: "50%_\\",
    table: "articles",
    state: "unpublished" as const,
    after,
    size: 3,
  };
  await readOwnItems(client, query);
  expect(addresses()).toEqual([
    `articles?select=id,title,created_at,published&author_id=eq.${ID}&published=eq.false&title=ilike.%50\\%\\_\\\\%` +
      `&or=(created_at.lt."${after.created_at}",and(created_at.eq."${after.created_at}",id.gt.${OTHER_ID}))` +
      "&order=created_at.desc,id.asc&limit=3",
  ]);
});

test("an item is published by its id, and only items in that state are listed on request", async () => {
  const { client, sent } = backendWith();
  const query = { userId: ID, text: "", table: "articles", state: "published" as const, size: 3 };
  await readOwnItems(client, query);
  await setPublished(client, { ...item(1), kind: articles, published: false }, true);
  expect(sent[0]?.address).toContain("&published=eq.true&");
  expect(sent[1]).toEqual({
    method: "PATCH",
    address: `articles?id=eq.${item(1).id}`,
    body: { published: true },
  });
});

test("items of the same time are in the order of their ids, whichever kind they are", async () => {
  const at = (id: string) => ({ id, title: id, created_at: "2026-01-01T00:00:00+00:00" });
  const { client } = backendWith([at("b"), at("d")], [at("a"), at("c")]);
  const items = await readOwnItems(client, { userId: ID, text: "", table: "", state: "", size: 9 });
  expect(items.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
});

test("the states of publication leave out kinds without such a state", async () => {
  const { client, addresses } = backendWith();
  await readOwnItems(client, { userId: ID, text: "", table: "useful_links", state: "published", size: 3 });
  expect(addresses()).toEqual([]);
});

test("a profile's reads and writes name the member, and an update of a deleted skill fails", async () => {
  const skill = { category: "sql", name: "SQL", proficiency: 5, years_experience: 2 };
  const changed = (rows: number) =>
    new Response(null, { status: 204, headers: { "content-range": `*/${rows}` } });
  const { client, sent } = backendWith([], [], [], changed(1), changed(0));
  expect(await readProfile(client, ID)).toBeNull();
  await readSkills(client, ID);
  await addSkill(client, ID, { ...skill, id: "1" });
  await updateSkill(client, "1", skill);
  await expect(updateSkill(client, "1", skill)).rejects.toThrow("The skill was deleted elsewhere");
  expect(sent.slice(0, 4)).toEqual([
    { method: "GET", address: `profiles?select=*&id=eq.${ID}`, body: undefined },
    {
      method: "GET",
      address: `skills?select=*&profile_id=eq.${ID}&order=category.asc,created_at.asc,id.asc`,
      body: undefined,
    },
    { method: "POST", address: "skills", body: { profile_id: ID, ...skill, id: "1" } },
    { method: "PATCH", address: "skills?id=eq.1", body: skill },
  ]);
});
