import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { UsefulLink } from "../../data/schema.ts";
import type { ListKind } from "../kind.ts";
import type { ListCard } from "./page.ts";

const kind: ListKind<UsefulLink> = { table: "useful_links", owner: "profile_id", searched: ["title"] };
const EVERYTHING = { text: "", author: "", sort: "desc" } as const;

const card = (number: number, title = `Link ${number}`) =>
  ({
    item: {
      id: `${number}`.padStart(36, "0"),
      title,
      created_at: `2026-03-${String(31 - number).padStart(2, "0")}T00:00:00+00:00`,
    },
    version: title.padStart(5, "_").slice(-5),
  }) as ListCard<UsefulLink>;

let list: typeof import("./browser-list.ts");
let asked: URLSearchParams[];
/** What the server says next; an Error is a line that is down. */
let answers: unknown[];
let isOnScreen: boolean;

beforeEach(async () => {
  vi.resetModules();
  list = await import("./browser-list.ts");
  asked = [];
  answers = [];
  isOnScreen = true;
  vi.stubGlobal("document", { querySelector: () => (isOnScreen ? {} : null) });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const url = new URL(path, "http://site.test");
    expect(url.pathname).toBe("/lists/useful_links");
    asked.push(url.searchParams);
    const answer = answers.shift();
    if (answer instanceof Promise) {
      await Promise.race([
        answer,
        new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason))),
      ]);
    }
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("nobody answers");
    return typeof answer === "number" ? new Response(null, { status: answer }) : Response.json(answer);
  });
});
afterEach(() => vi.unstubAllGlobals());

const titles = (page: { cards: ListCard<UsefulLink>[] } | null | undefined) =>
  page?.cards.map(({ item }) => item.title);

const searchFor = async (text: string) => {
  const url = new URL(`http://site.test/useful-links?q=${text}`);
  const loaded = await list.loadInBrowser(kind, url, () => Promise.reject(new Error("not asked")));
  return loaded.page;
};

test("a short list is fetched once and searched in the browser", async () => {
  answers = [{ cards: [card(1), card(2), card(12)] }];
  expect(titles(await searchFor("1"))).toEqual(["Link 1", "Link 12"]);
  expect(titles(await searchFor("2"))).toEqual(["Link 2", "Link 12"]);
  expect(asked.map(String)).toEqual(["all=true"]);
});

test("a long list is asked for page by page", async () => {
  answers = [{ cards: null }, { cards: [card(1)], previous: null, next: "c~1" }, { cards: [], next: null }];
  expect(await searchFor("1")).toEqual({ cards: [card(1)], previous: null, next: "c~1" });
  await list.readPage(kind, { search: EVERYTHING, after: "c~1", size: 24 });
  expect(asked.map(String)).toEqual(["all=true", "q=1", "after=c%7E1&size=24"]);
});

test("a search that overtakes another ends it", async () => {
  answers = [{ cards: null }, new Promise(() => undefined), { cards: [card(2)], previous: null, next: null }];
  const first = searchFor("1");
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  expect(titles(await searchFor("2"))).toEqual(["Link 2"]);
  // A search without an answer leaves the list as it is.
  expect(await first).toBeNull();
});

test("a list that could not be fetched is asked for again", async () => {
  answers = [new Error("offline"), 503, { cards: [card(1)] }];
  expect(await searchFor("1")).toBeNull();
  expect(titles(await searchFor("1"))).toEqual(["Link 1"]);
  expect(asked.map(String)).toEqual(["all=true", "q=1", "all=true"]);
});

test("coming from another page, the list is the server's, and a kept one is fetched anew", async () => {
  answers = [{ cards: [card(1)] }, { cards: [card(1), card(2)] }];
  await list.wholeList("useful_links");
  isOnScreen = false;
  const page = { cards: [card(2)], previous: null, next: null };
  const url = new URL("http://site.test/useful-links");
  expect(await list.loadInBrowser(kind, url, async () => ({ page }))).toEqual({ page });
  expect(await list.loadInBrowser(kind, url, () => Promise.reject(new Error("offline")))).toEqual({
    page: null,
  });
  isOnScreen = true;
  expect(titles(await searchFor("Link"))).toEqual(["Link 1", "Link 2"]);
});

test("after a save only what changed is fetched of a list that is kept whole", async () => {
  answers = [{ cards: [card(1), card(2), card(3)] }, { cards: [card(4), 0, card(2, "Changed")] }];
  const shown = { cards: (await list.wholeList("useful_links")) as ListCard<UsefulLink>[] };
  const fresh = await list.refreshPage(kind, EVERYTHING, { ...shown, previous: null, next: null });
  expect(titles(fresh)).toEqual(["Link 1", "Changed", "Link 4"]);
  expect(asked[1]?.get("have")).toBe("ink 1ink 2ink 3");
  expect(titles(await searchFor("chang"))).toEqual(["Changed"]);
  expect(asked).toHaveLength(2);
});

test("after a save only what changed is fetched of the page of a long list", async () => {
  const page = { cards: [card(1), card(2)], previous: "c~0", next: "c~2" };
  answers = [{ cards: [1, card(3)], previous: "c~0", next: null }];
  expect(titles(await list.refreshPage(kind, EVERYTHING, page))).toEqual(["Link 2", "Link 3"]);
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({ after: "c~0", size: "3", have: "ink 1ink 2" });
});

test("a failed refresh keeps the list that is here", async () => {
  answers = [{ cards: [card(1)] }, new Error("offline")];
  const cards = (await list.wholeList("useful_links")) as ListCard<UsefulLink>[];
  await expect(list.refreshPage(kind, EVERYTHING, { cards, previous: null, next: null })).rejects.toThrow();
  expect(titles(await searchFor("1"))).toEqual(["Link 1"]);
});

test("a page from behind an item that the kept list lacks is asked from the server", async () => {
  answers = [{ cards: [card(1)] }, { cards: [card(3)], previous: null, next: null }];
  await list.wholeList("useful_links");
  expect(titles(await list.readPage(kind, { search: EVERYTHING, after: "c~2" }))).toEqual(["Link 3"]);
});
