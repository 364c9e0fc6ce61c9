import fc from "fast-check";
import { expect, test } from "vitest";
import { type List, type ListEvent, listReducer, nextPageQuery, startList } from "./list.ts";
import type { LoadedList } from "./loaded-list.ts";

const PAGE_SIZE = 3;
const reduce = listReducer<string>((card) => card);

/** Reads a list as a server would: in pages of three cards. Each card is its own cursor. */
function read(cards: string[], search: string): LoadedList<string> {
  const parameters = new URLSearchParams(search);
  const after = parameters.get("after");
  const pageCount = Number(parameters.get("pages") ?? 1);
  const start = after ? cards.indexOf(after) + 1 : 0;
  const end = start + pageCount * PAGE_SIZE;
  for (const name of ["after", "pages", "around"]) parameters.delete(name);
  return {
    query: parameters.size > 0 ? `?${parameters}` : "",
    cards: cards.slice(start, end),
    after: start > 0 ? after : null,
    next: end < cards.length ? (cards[end - 1] ?? null) : null,
    pageCount,
  };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `card ${from + index}`);

const ALL = numbered(1, 100);
const open = (search = "", cards = ALL) => startList(read(cards, search), search);

function run(list: List<string>, ...events: ListEvent<string>[]): List<string> {
  return events.reduce(reduce, list);
}

/** Delivers the response of a fake server with these cards to the pending request. */
function respond(list: List<string>, cards = ALL): List<string> {
  if (!list.status.request) throw new Error("No request is pending");
  return run(list, { type: "loaded", part: read(cards, list.status.request.search) });
}

function showMore(list: List<string>, times = 1, cards = ALL): List<string> {
  let longer = list;
  for (let time = 0; time < times; time++) longer = respond(run(longer, { type: "wantsMore" }), cards);
  return longer;
}

interface NamedCard {
  id: string;
  title: string;
}

const reduceNamed = listReducer<NamedCard>(({ id }) => id);
const readNamed = (titles: string[]): LoadedList<NamedCard> => ({
  query: "",
  cards: titles.map((title) => ({ id: title, title })),
  after: null,
  next: null,
  pageCount: 1,
});

const type = (query: string) => ({ type: "typed", query }) as const;
const enter = (query: string) => ({ type: "submitted", query }) as const;
const PAUSE = { type: "paused" } as const;
const FAIL = { type: "failed" } as const;
const CHANGE = { type: "changed" } as const;

test("typed text is searched once the reader pauses, and the URL of the entry follows the results", () => {
  const typing = run(open("", ALL), type("?q=a"), type("?q=ab"));
  expect(typing.status).toMatchObject({ is: "typed", request: null });
  const searching = run(typing, PAUSE);
  expect(searching.status.request?.search).toBe("?q=ab");
  expect(searching).toMatchObject({ query: "", cards: ALL.slice(0, 3), url: { search: "" } });

  const found = respond(searching, ["ab 1", "ab 2"]);
  expect(found).toMatchObject({ query: "?q=ab", cards: ["ab 1", "ab 2"], status: { is: "idle" } });
  expect(found.url).toMatchObject({ search: "?q=ab", entry: "", entered: 0 });
});

test("results that arrive while the reader types on are shown, and the newer text is still searched", () => {
  const typing = run(open(), type("?q=fir"), PAUSE, type("?q=firs"));
  const request = typing.status.request;
  expect(request?.search).toBe("?q=fir");
  const found = respond(typing, ["fir 1"]);
  expect(found).toMatchObject({ query: "?q=fir", status: { is: "typed", query: "?q=firs", request: null } });
  expect(run(found, PAUSE).status.request?.search).toBe("?q=firs");
});

test("text that is typed and deleted again sends no search, and a late result is ignored", () => {
  const list = run(open(), type("?q=a"), type(""));
  expect(list.status.is).toBe("idle");
  const late = run(open(), type("?q=a"), PAUSE, type(""), { type: "loaded", part: read(["a 1"], "?q=a") });
  expect(late).toMatchObject({ query: "", cards: ALL.slice(0, 3), status: { is: "idle" } });
});

test("text typed while a link loads the same list stays in the fields, and is searched after the pause", () => {
  const typing = run(open("?q=old"), { type: "leaving" }, type("?q=older"));
  const result = read(ALL, "");
  const shown = run(typing, { type: "arrived", result, search: "" });
  expect(shown).toMatchObject({ query: "", status: { is: "typed", query: "?q=older" }, url: { search: "" } });
  expect(shown.arrivals, "the fields are not filled in again").toBe(typing.arrivals);
  expect(run(shown, PAUSE).status.request?.search).toBe("?q=older");

  const failed = run(typing, { type: "arrived", result: { ...result, hasFailed: true }, search: "" });
  expect(failed).toMatchObject({ query: "?q=old", status: { is: "typed", query: "?q=older" } });
});

test("a failed search keeps the cards, their query and the URL, and Show More continues that list", () => {
  const failed = run(showMore(open("?q=old")), type("?q=new"), PAUSE, FAIL);
  expect(failed).toMatchObject({ query: "?q=old", cards: ALL.slice(0, 6), status: { is: "failed" } });
  expect(failed.url.search).toBe("?q=old&pages=2");
  const more = run(failed, { type: "wantsMore" });
  expect(more.status.request?.search).toBe("?q=old&after=card+6");
  expect(respond(more).cards).toEqual(ALL.slice(0, 9));
});

test("Enter retries a failed search, and typing the old text again ends it", () => {
  const failed = run(open(), type("?q=new"), PAUSE, FAIL);
  expect(run(failed, enter("?q=new")).status).toMatchObject({ is: "searching", query: "?q=new" });
  expect(run(failed, type("")).status.is).toBe("idle");
});

test("Enter adds a history entry, whether the search was sent before or not", () => {
  const immediate = respond(run(open("?q=old"), type("?q=new"), enter("?q=new")));
  expect(immediate.url).toEqual({ search: "?q=new", entry: "?q=new", entryQuery: "?q=new", entered: 1 });

  const pending = run(open("?q=old"), type("?q=new"), PAUSE);
  const entered = run(pending, enter("?q=new"));
  expect(entered.status.request, "the pending request is not repeated").toBe(pending.status.request);
  expect(respond(entered).url.entered).toBe(1);

  const shown = respond(pending);
  expect(shown.url).toMatchObject({ search: "?q=new", entry: "?q=old", entered: 0 });
  const afterwards = run(shown, enter("?q=new"));
  expect(afterwards.status.request).toBeNull();
  expect(afterwards.url).toMatchObject({ entry: "?q=new", entered: 1 });
  expect(run(afterwards, enter("?q=new")).url, "a second Enter adds no entry").toBe(afterwards.url);
});

test("a failed Enter adds no history entry", () => {
  const failed = run(open(), enter("?q=new"), FAIL);
  expect(failed.url).toMatchObject({ search: "", entered: 0 });
});

test("Show More appends the next page of the list on the screen, up to its end", () => {
  const cards = ALL.slice(0, 7);
  const list = showMore(open("", cards), 2, cards);
  expect(list).toMatchObject({ cards, pageCount: 3, cursor: { after: null, next: null } });
  expect(list.url.search).toBe("?pages=3");
  expect(nextPageQuery(list)).toBeNull();
  expect(run(list, { type: "wantsMore" })).toBe(list);
});

test("Show More keeps unknown parameters of the URL, and the URL never asks for more than ten pages", () => {
  const list = showMore(open("?from=letter"), 14);
  expect(list.pageCount).toBe(15);
  expect(list.url.search).toBe("?from=letter&pages=10");
});

test("a failed Show More keeps the cards, and can be repeated", () => {
  const failed = run(open(), { type: "wantsMore" }, FAIL);
  expect(failed).toMatchObject({ cards: ALL.slice(0, 3), status: { is: "failed" }, pageCount: 1 });
  expect(showMore(failed).cards).toEqual(ALL.slice(0, 6));
});

test("a late next page is not shown as the result of the same search", () => {
  const adding = run(open("?q=a"), { type: "wantsMore" });
  const nextPage = read(ALL, adding.status.request?.search ?? "");
  const other = respond(run(adding, type("?q=b"), PAUSE));
  const searching = run(other, type("?q=a"), PAUSE);
  for (const again of [searching, run(searching, type("?q=ab"))]) {
    const late = run(again, { type: "loaded", part: nextPage });
    expect(late.cards).toEqual(ALL.slice(0, 3));
    expect(respond(late).cursor.after).toBeNull();
  }
});

test("a page of another search is never appended", () => {
  const list = run(showMore(open()), { type: "wantsMore" });
  const other = run(list, { type: "loaded", part: read(numbered(200, 209), "?q=x&after=card 6") });
  expect(other.cards).toEqual(ALL.slice(0, 6));
});

test("a search that is typed while the next page loads takes precedence", () => {
  const list = run(open(), { type: "wantsMore" }, type("?q=new"));
  expect(list.status).toMatchObject({ is: "typed", request: null });
  expect(respond(run(list, PAUSE), ["new 1"]).cards).toEqual(["new 1"]);
});

test("after a save, the loaded pages are read again, and the last card stays although a new one has moved it", () => {
  const changed = run(showMore(open()), CHANGE);
  expect(changed.status.request?.search).toBe("?pages=2");
  expect(changed.cards).toEqual(ALL.slice(0, 6));
  const list = respond(changed, ["new", ...ALL]);
  expect(list).toMatchObject({
    cards: ["new", ...ALL.slice(0, 6)],
    status: { is: "idle" },
    cursor: { next: "card 6" },
  });
  expect(showMore(list).cards).toEqual(["new", ...ALL.slice(0, 9)]);
});

test("after a deletion on page 15 of a list, all loaded cards but the deleted one stay", () => {
  const long = showMore(open(), 14);
  const removed = run(long, { type: "removed", id: "card 44" }, CHANGE);
  const expected = ALL.filter((card) => card !== "card 44");
  expect(removed.cards).toEqual(expected.slice(0, 44));

  expect(removed.status.request?.search).toBe("?pages=10");
  const first = respond(removed, expected);
  expect(first.cards).toEqual(expected.slice(0, 44));
  expect(first.status.request?.search).toBe("?after=card+30&pages=5");
  const second = respond(first, expected);
  expect(second).toMatchObject({ cards: expected.slice(0, 45), status: { is: "idle" }, pageCount: 15 });
});

test("an item that was saved on page 15 is shown in its new state", () => {
  const changed = ALL.map((card) => (card === "card 44" ? "card 44, changed" : card));
  const list = respond(respond(run(showMore(open(), 14), CHANGE), changed), changed);
  expect(list.cards).toEqual(changed.slice(0, 45));
});

test("a saved item is shown in its new state before the list is read again, and if that fails", () => {
  const list = reduceNamed(startList(readNamed(["a", "b", "c"]), ""), {
    type: "saved",
    id: "b",
    change: (card) => ({ ...card, title: "changed" }),
  });
  const titles = ["a", "changed", "c"];
  expect(list.cards.map(({ title }) => title)).toEqual(titles);
  const failed = reduceNamed(reduceNamed(list, { type: "changed" }), FAIL);
  expect(failed.cards.map(({ title }) => title)).toEqual(titles);
});

test("the first page of a list without a search is read again from the list's own address", () => {
  expect(run(open(), CHANGE).status.request?.search).toBe("");
});

test("an item that the search no longer finds after a save disappears", () => {
  const cards = ALL.filter((card) => card !== "card 2");
  expect(respond(run(showMore(open()), CHANGE), cards).cards).toEqual(cards.slice(0, 6));
});

test("if the pages can't be read again after a save, the list doesn't change", () => {
  const list = showMore(open(), 4);
  expect(run(list, CHANGE, FAIL)).toMatchObject({
    cards: list.cards,
    cursor: list.cursor,
    status: { is: "failed" },
  });
});

test("a save while the list is being read again reads it once more", () => {
  const twice = run(showMore(open()), CHANGE, CHANGE);
  const again = respond(twice, ["one", ...ALL]);
  expect(again.status).toMatchObject({ is: "refreshing" });
  expect(again.status.request).not.toBe(twice.status.request);
  expect(respond(again, ["two", "one", ...ALL]).cards.slice(0, 3)).toEqual(["two", "one", "card 1"]);
});

test("if the next page arrives when the loaded pages are already being read again, it doesn't replace them", () => {
  const adding = run(open(), { type: "wantsMore" });
  const nextPage = read(ALL, adding.status.request?.search ?? "");
  const late = run(adding, CHANGE, { type: "loaded", part: nextPage });
  expect(late).toMatchObject({ cards: ALL.slice(0, 3), status: { is: "refreshing" } });
  expect(respond(late)).toMatchObject({ cards: ALL.slice(0, 3), status: { is: "idle" } });
});

test("whatever the reader does, and in whichever order responses arrive, the cards are the beginning of the list, without a gap", () => {
  const event = fc.constantFrom(
    "wantsMore",
    "changed",
    "answer",
    "late answer",
    "failed",
    "type",
    "pause",
    "leave",
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.nat()), { maxLength: 30 }), (events) => {
      let list = open();
      const requested: string[] = [];
      for (const [type, number] of events) {
        const pending = list.status.request?.search;
        const answered = type === "late answer" ? requested[number % (requested.length || 1)] : pending;
        if (type === "wantsMore" || type === "changed" || type === "failed") list = run(list, { type });
        else if (type === "type") list = run(list, { type: "typed", query: ["", "?q=a"][number % 2] ?? "" });
        else if (type === "pause") list = run(list, PAUSE);
        else if (type === "leave") list = run(list, { type: "leaving" });
        else if (answered !== undefined) list = run(list, { type: "loaded", part: read(ALL, answered) });
        const request = list.status.request?.search;
        if (request !== undefined && request !== pending) requested.push(request);
        expect(list.cards).toEqual(ALL.slice(0, list.cards.length));
        expect(list.cursor).toEqual({
          after: null,
          next: list.cards.length < ALL.length ? list.cards.at(-1) : null,
        });
      }
    }),
    { numRuns: 500 },
  );
});

test("a save while a search is pending reads the results again", () => {
  const found = respond(run(open(), type("?q=new"), PAUSE, CHANGE), ["new 1"]);
  expect(found).toMatchObject({
    query: "?q=new",
    status: { is: "refreshing", request: { search: "?q=new" } },
  });
});

test("a list that starts at a cursor is read again from that cursor", () => {
  const list = run(showMore(open("?after=card 30")), CHANGE);
  expect(list.status.request?.search).toBe("?after=card+30&pages=2");
});

test("Back within the pause after typing cancels the search", () => {
  const leaving = run(open("?q=old"), type("?q=new"), { type: "leaving" }, PAUSE);
  expect(leaving.status).toEqual({ is: "idle", request: null });
  const arrived = run(leaving, { type: "arrived", result: read(["before"], ""), search: "" });
  expect(arrived).toMatchObject({
    query: "",
    cards: ["before"],
    arrivals: 1,
    url: { search: "", entry: "" },
  });
});

test("a result that arrives after Back is ignored", () => {
  const arrived = run(
    open("?q=old"),
    type("?q=new"),
    PAUSE,
    { type: "arrived", result: read(["before"], ""), search: "" },
    { type: "loaded", part: read(["new 1"], "?q=new") },
  );
  expect(arrived).toMatchObject({ query: "", cards: ["before"] });
});

test("if a navigation's list can't be read, the cards and their query stay", () => {
  const hasFailed = { ...read([], "?q=new"), hasFailed: true as const };
  const list = run(showMore(open("?q=old")), { type: "arrived", result: hasFailed, search: "?q=new" });
  expect(list).toMatchObject({ query: "?q=old", cards: ALL.slice(0, 6), status: { is: "failed" } });
  expect(run(list, enter("?q=new")).status).toMatchObject({ is: "searching" });
});

test("an item that is not among the cards is sought with the part of the list around it, but only once", () => {
  const sought = run(open("?q=a"), { type: "wantsItem", id: "card 50" });
  expect(sought.status.request?.search).toBe("?q=a&around=card+50");
  const part = { ...read(ALL, "?q=a&after=card 47"), cards: numbered(48, 53) };
  const list = run(sought, { type: "loaded", part });
  expect(list).toMatchObject({ cards: numbered(48, 53), cursor: { after: "card 47" } });
  expect(list.url.search).toBe("?q=a&around=card+50");
  expect(run(list, { type: "wantsItem", id: "card 99" }).status.is).toBe("seeking");
  expect(run(list, { type: "wantsItem", id: "card 50" }), "it is on the screen").toBe(list);
  const unknown = respond(run(open(), { type: "wantsItem", id: "unknown" }));
  expect(run(unknown, { type: "wantsItem", id: "unknown" }), "it was not found").toBe(unknown);
});
