import { act } from "react";
import { createRoot } from "react-dom/client";
import { type Location, type Navigator, Router } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { KindDefinition } from "../kinds/kind-definition.ts";
import { usefulLinks } from "../kinds/useful-links/definition.ts";
import type { Search } from "../search/search.ts";
import type { ListCard, ListPage } from "./page.ts";

type List = ReturnType<typeof import("./use-list.ts").useList>;

interface Visit {
  list(): List;
  titles(): string[];
  /** Another answer of the loader; null is a load that failed. */
  load(found: ListPage | null, search?: Search): Promise<void>;
  leave(): Promise<void>;
}

const KIND: KindDefinition = { ...usefulLinks, searched: ["title"] };
const EVERYTHING = { text: "", author: "", sort: "desc" } as const;
const ITEM = "00000000-0000-4000-8000-000000000001";
const ITEM_ON_PAGE = "00000000-0000-4000-8000-000000000002";

let useList: typeof import("./use-list.ts").useList;
let browserList: typeof import("./browser-list.ts");
let asked: Record<string, string>[];
/** What the server says next, as a promise where it takes its time; without any it is down. */
let answers: (ListPage | Promise<ListPage>)[];
let navigated: string[];
let printer: EventTarget;
/** Where the first card on the screen begins. */
let cardTop: () => number;
let scrolledBy: number[];

beforeEach(async () => {
  vi.resetModules();
  browserList = await import("./browser-list.ts");
  ({ useList } = await import("./use-list.ts"));
  asked = [];
  answers = [];
  navigated = [];
  printer = new EventTarget();
  cardTop = () => 100;
  scrolledBy = [];
  const card = {
    isConnected: true,
    getBoundingClientRect: () => ({ top: cardTop(), bottom: cardTop() + 50 }),
  };
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("window", { HTMLIFrameElement: class {} });
  vi.stubGlobal("addEventListener", printer.addEventListener.bind(printer));
  vi.stubGlobal("removeEventListener", printer.removeEventListener.bind(printer));
  vi.stubGlobal("scrollBy", ({ top }: { top: number }) => scrolledBy.push(top));
  vi.stubGlobal("document", {
    querySelectorAll: () => [card],
    getElementById: (id: string) => (id === ITEM_ON_PAGE ? {} : null),
  });
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(Object.fromEntries(new URL(path, "http://site.test").searchParams));
    const answer = await answers.shift();
    if (answer === undefined) throw new Error("nobody answers");
    return Response.json(answer);
  });
});
afterEach(() => vi.unstubAllGlobals());

function cards(from: number, to: number): ListCard[] {
  return Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    const item = { id: `${number}`.padStart(36, "0"), title: `Link ${number}`, created_at: "2026-03-01" };
    return { item, version: `${number}`.padStart(5, "_") } as ListCard;
  });
}

const page = (from: number, to: number): ListPage => ({
  cards: cards(from, to),
  previous: from > 0 ? `the ${from - 1}th` : null,
  next: `the ${to - 1}th`,
});

/** As much of a document as React asks of one whose components show nothing. */
function emptyElement(): HTMLElement {
  const target = {
    nodeType: 1,
    tagName: "DIV",
    nodeName: "DIV",
    namespaceURI: "",
    addEventListener: () => undefined,
  };
  return Object.assign(target, { ownerDocument: { ...target, nodeType: 9 } }) as unknown as HTMLElement;
}

async function visit(found: ListPage | null, location: Partial<Location> = {}): Promise<Visit> {
  const root = createRoot(emptyElement());
  const note = (to: unknown) => void navigated.push(JSON.stringify(to));
  const navigator = { replace: note, push: note, createHref: String, go: () => undefined } as Navigator;
  const place = { pathname: "/", search: "", hash: "", state: null, key: "first", ...location };
  let list: List;
  function Content({ found, search }: { found: ListPage | null; search: Search }) {
    list = useList(KIND, search, found);
    return null;
  }
  const load = (next: ListPage | null, search: Search = EVERYTHING) =>
    act(async () =>
      root.render(
        <Router location={place} navigator={navigator}>
          <Content found={next} search={search} />
        </Router>,
      ),
    );
  await load(found);
  return {
    list: () => list,
    titles: () => list.list.cards.map(({ item }) => item.title),
    load,
    leave: () => act(async () => root.unmount()),
  };
}

const titles = (from: number, to: number) => page(from, to).cards.map(({ item }) => item.title);

test("a list shows what was loaded last, and stays as it is when a load fails", async () => {
  const reader = await visit(page(0, 3));
  await reader.load(page(3, 5));
  expect(reader.titles()).toEqual(titles(3, 5));
  await reader.load(null);
  expect(reader.titles()).toEqual(titles(3, 5));
});

test("a list grows at its end by 24 cards, and not at all when the server does not answer", async () => {
  const reader = await visit(page(0, 60));
  answers = [page(60, 84)];
  await act(() => reader.list().extend("end"));
  expect(asked).toEqual([{ after: "the 59th", size: "24" }]);
  expect(reader.titles()).toEqual(titles(0, 84));
  await act(() => reader.list().extend("end"));
  expect(reader.titles()).toEqual(titles(0, 84));
});

test("cards that come above leave the first card on the screen where it is", async () => {
  const reader = await visit(page(24, 48));
  const scrolledPast = { getBoundingClientRect: () => ({ top: -500 }) };
  reader.list().element.current = scrolledPast as HTMLDivElement;
  cardTop = () => (reader.titles().length > 24 ? 900 : 100);
  answers = [page(0, 24)];
  await act(() => reader.list().extend("start"));
  expect(asked).toEqual([{ before: expect.stringMatching(/~0+24$/), size: "24" }]);
  expect(reader.titles()).toEqual(titles(0, 48));
  expect(scrolledBy).toEqual([800]);
});

test("a reader at the top of the page gets the top of the list", async () => {
  const reader = await visit(page(24, 48));
  answers = [page(0, 24)];
  await act(() => reader.list().extend("start"));
  expect(asked).toEqual([{ size: "24" }]);
  expect(reader.titles()).toEqual(titles(0, 24));
});

test("a list whose cards are all gone goes on from the top", async () => {
  const reader = await visit({ cards: [], previous: "the 23rd", next: null });
  reader.list().element.current = { getBoundingClientRect: () => ({ top: -500 }) } as HTMLDivElement;
  answers = [page(0, 24)];
  await act(() => reader.list().extend("start"));
  expect(asked).toEqual([{ size: "24" }]);
  expect(reader.titles()).toEqual(titles(0, 24));
});

test("cards that arrive after the list has changed are dropped", async () => {
  const reader = await visit(page(0, 60));
  const { promise, resolve } = Promise.withResolvers<ListPage>();
  answers = [promise];
  const extended = reader.list().extend("end");
  await reader.load(page(0, 2));
  await act(async () => {
    resolve(page(60, 84));
    await extended;
  });
  expect(reader.titles()).toEqual(titles(0, 2));
});

test("after a save the list is the search's that stands then, whichever stood when it began", async () => {
  const reader = await visit(page(0, 3));
  const { refresh } = reader.list();
  await reader.load(page(1, 2), { ...EVERYTHING, text: "1" });
  answers = [page(1, 3)];
  await act(refresh);
  expect(asked).toEqual([expect.objectContaining({ q: "1" })]);
  expect(reader.titles()).toEqual(titles(1, 3));
});

test("a list that arrives after a save is dropped once another is searched for", async () => {
  const reader = await visit(page(0, 3));
  const { promise, resolve } = Promise.withResolvers<ListPage>();
  answers = [promise];
  const refreshed = reader.list().refresh();
  await reader.load(page(1, 2), { ...EVERYTHING, text: "1" });
  await act(async () => {
    resolve(page(0, 4));
    await refreshed;
  });
  expect(reader.titles()).toEqual(titles(1, 2));
});

test("who comes back finds the list as they left it, with everybody's changes since", async () => {
  const reader = await visit(page(0, 60));
  answers = [page(60, 84)];
  await act(() => reader.list().extend("end"));
  await reader.leave();

  const { promise, resolve } = Promise.withResolvers<ListPage>();
  answers = [promise];
  const again = await visit(page(0, 60));
  expect(again.titles()).toEqual(titles(0, 84));
  expect(asked.at(-1)).toMatchObject({ size: "85" });
  await act(async () => resolve(page(1, 84)));
  expect(again.titles()).toEqual(titles(1, 84));
});

test("the lists of the last ten visits are kept, the eleventh is forgotten", async () => {
  for (let count = 0; count < 11; count++) {
    await (await visit(page(count, count + 1), { key: `visit ${count}` })).leave();
  }
  expect((await visit(page(50, 51), { key: "visit 0" })).titles()).toEqual(titles(50, 51));
  expect((await visit(page(50, 51), { key: "visit 1" })).titles()).toEqual(titles(1, 2));
});

test("who comes back to one list again and again keeps the others", async () => {
  await (await visit(page(0, 1), { key: "once" })).leave();
  for (let count = 0; count < 11; count++) await (await visit(page(1, 2), { key: "often" })).leave();
  expect((await visit(page(50, 51), { key: "once" })).titles()).toEqual(titles(0, 1));
});

test("a print shows a list that is here whole to its end", async () => {
  const reader = await visit(page(0, 60));
  await act(async () => printer.dispatchEvent(new Event("beforeprint")));
  expect(reader.titles()).toEqual(titles(0, 60));
  answers = [page(0, 90)];
  await browserList.fetchWhole("useful_links");
  await act(async () => printer.dispatchEvent(new Event("beforeprint")));
  expect(reader.titles()).toHaveLength(90);
});

test("the address of an item that is not on the page leads to its page of the list", async () => {
  await visit(page(0, 3), { hash: `#${ITEM}` });
  expect(navigated).toEqual([expect.stringContaining(`?around=${ITEM}`)]);
});

test.each([
  ["that is on the page", { hash: `#${ITEM_ON_PAGE}` }],
  ["whose page of the list is asked for", { hash: `#${ITEM}`, search: `?around=${ITEM}` }],
  ["that is none", { hash: "#main" }],
])("the address of an item %s leads nowhere else", async (_case, location) => {
  await visit(page(0, 3), location);
  expect(navigated).toEqual([]);
});
