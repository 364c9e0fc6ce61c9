import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { KindDefinition } from "../kinds/kind-definition.ts";
import { usefulLinks } from "../kinds/useful-links/definition.ts";
import type { ListCard } from "./page.ts";

const kind: KindDefinition = { ...usefulLinks, searched: ["title"] };
const EVERYTHING = { text: "", author: "", sort: "desc" } as const;

const card = (number: number, title = `Link ${number}`) =>
  ({
    item: {
      id: `${number}`.padStart(36, "0"),
      title,
      created_at: `2026-03-${String(31 - number).padStart(2, "0")}T00:00:00+00:00`,
    },
    version: title.padStart(5, "_").slice(-5),
  }) as ListCard;

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
    init.signal?.throwIfAborted();
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("nobody answers");
    return typeof answer === "number" ? new Response(null, { status: answer }) : Response.json(answer);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const titles = (page: { cards: ListCard[] } | null | undefined) => page?.cards.map(({ item }) => item.title);

const open = async (query: string, signal = new AbortController().signal) =>
  (await list.loadInBrowser(kind, new URLSearchParams(query), signal)).page;

test("a short list is fetched once and searched in the browser", async () => {
  answers = [{ cards: [card(1), card(2), card(12)] }];
  expect(titles(await open("q=1"))).toEqual(["Link 1", "Link 12"]);
  expect(titles(await open("q=2"))).toEqual(["Link 2", "Link 12"]);
  expect(asked.map(String)).toEqual(["all=true"]);
});

test("a long list is asked for page by page", async () => {
  answers = [{ cards: null }, { cards: [card(1)], previous: null, next: "c~1" }, { cards: [], next: null }];
  expect(await open("q=1&sort=asc")).toEqual({ cards: [card(1)], previous: null, next: "c~1" });
  await list.readPage(kind, { search: EVERYTHING, after: "c~1", size: 24 });
  expect(asked.map(String)).toEqual(["all=true", "q=1&sort=asc", "after=c%7E1&size=24"]);
});

test("a search that was overtaken is given up", async () => {
  answers = [{ cards: null }];
  expect(await open("q=1", AbortSignal.abort())).toBeNull();
});

test("a list that could not be fetched is asked for again", async () => {
  answers = [new Error("offline"), 503, { cards: [card(1)] }];
  expect(await open("q=1")).toBeNull();
  expect(titles(await open("q=1"))).toEqual(["Link 1"]);
  expect(asked.map(String)).toEqual(["all=true", "q=1", "all=true"]);
});

test("a server that stalls has not answered once the time for it is over", async () => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  vi.stubGlobal("fetch", (_path: string, { signal }: RequestInit) => {
    setTimeout(() => limit.abort());
    if (signal?.aborted) throw signal.reason;
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  const page = { cards: [card(1)], previous: null, next: null };
  await expect(list.refreshPage("useful_links", EVERYTHING, page)).rejects.toThrow();
  expect(await open("q=1")).toBeNull();
});

test("coming from another page, the list is the server's, and a kept one is fetched anew", async () => {
  answers = [{ cards: [card(1)] }, { cards: [card(2)] }, new Error("offline"), { cards: [card(1), card(2)] }];
  await list.fetchWhole("useful_links");
  isOnScreen = false;
  expect(titles(await open(""))).toEqual(["Link 2"]);
  expect(await open("")).toBeNull();
  isOnScreen = true;
  expect(titles(await open("q=Link"))).toEqual(["Link 1", "Link 2"]);
});

test("after a save only what changed is fetched", async () => {
  const page = { cards: [card(1), card(2)], previous: "c~0", next: "c~2" };
  answers = [{ cards: [1, card(3)], previous: "c~0", next: null }];
  expect(titles(await list.refreshPage("useful_links", EVERYTHING, page))).toEqual(["Link 2", "Link 3"]);
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({ after: "c~0", size: "3", have: "ink 1.ink 2" });
});

test("a failed refresh is an error, and the next search asks again", async () => {
  answers = [{ cards: [card(1)] }, new Error("offline"), { cards: [card(1)] }];
  await list.fetchWhole("useful_links");
  const page = { cards: [card(1)], previous: null, next: null };
  await expect(list.refreshPage("useful_links", EVERYTHING, page)).rejects.toThrow();
  expect(titles(await open("q=1"))).toEqual(["Link 1"]);
});

test("a page from behind an item that the kept list lacks is asked from the server", async () => {
  answers = [{ cards: [card(1)] }, { cards: [card(3)], previous: null, next: null }];
  await list.fetchWhole("useful_links");
  expect(titles(await list.readPage(kind, { search: EVERYTHING, after: "c~2" }))).toEqual(["Link 3"]);
});

test("an item that an address names is looked for on the server", async () => {
  answers = [{ cards: [card(7)], previous: "c~6", next: null }];
  expect(titles(await open("around=7"))).toEqual(["Link 7"]);
  expect(asked.map(String)).toEqual(["around=7"]);
});
