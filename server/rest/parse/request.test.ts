// Each kind of request either applies or rejects each part that a request can have.
import { describe, expect, test } from "vitest";
import { readParameters } from "./query.ts";
import {
  type Incoming,
  parseCall,
  parseDelete,
  parseInsert,
  parseRead,
  parseUpdate,
  type Request,
} from "./request.ts";

type Kind = Request["kind"];

interface Sent {
  search?: string;
  prefer?: string;
  range?: string;
  accept?: string;
}

const BODY = new TextEncoder().encode('{"a":1}');
const FILTER = "id=eq.1";
const MERGE = "resolution=merge-duplicates";

/** A request of each kind that is complete without any other part. */
const PARSERS: Record<Kind, (sent: Sent) => Request> = {
  read: (sent) => parseRead(toIncoming("GET", sent)),
  call: (sent) => parseCall(toIncoming("POST", sent), new Set(["a"])),
  insert: (sent) => parseInsert(toIncoming("POST", sent)),
  upsert: ({ prefer = "", ...sent }) =>
    parseInsert(toIncoming("POST", { ...sent, prefer: `${MERGE}, ${prefer}` })),
  update: ({ search = "", ...sent }) =>
    parseUpdate(toIncoming("PATCH", { ...sent, search: `${FILTER}&${search}` })),
  delete: ({ search = "", ...sent }) =>
    parseDelete(toIncoming("DELETE", { ...sent, search: `${FILTER}&${search}` })),
};

const KINDS = Object.keys(PARSERS) as Kind[];

function toIncoming(method: string, { search = "", ...headers }: Sent): Incoming {
  const parameters = readParameters(`http://techfolio.test/rest/v1/articles?${search}`);
  const bytes = method === "POST" || method === "PATCH" ? BODY : undefined;
  return { method, parameters, headers: new Headers(headers), bytes };
}

type Outcome = "applied" | string;

const applied = (kinds: Kind[], otherwise: string): Record<Kind, Outcome> =>
  Object.fromEntries(KINDS.map((kind) => [kind, kinds.includes(kind) ? "applied" : otherwise])) as Record<
    Kind,
    Outcome
  >;

const REPRESENTATION = "return=representation";
const READS: Kind[] = ["read", "call"];
const INSERTS: Kind[] = ["insert", "upsert"];

const PARTS: [part: string, sent: Sent, outcomes: Record<Kind, Outcome>][] = [
  ["select", { search: "select=title" }, applied(READS, "PGRST127")],
  ["order", { search: "order=title" }, applied(READS, "PGRST127")],
  ["limit", { search: "limit=2" }, applied(READS, "PGRST127")],
  ["offset", { search: "offset=2" }, applied(READS, "PGRST127")],
  ["Range", { range: "1-2" }, applied(READS, "PGRST127")],
  [
    "a parameter of related rows",
    { search: "select=profiles(id)&profiles.id=eq.1" },
    applied(READS, "PGRST127"),
  ],
  ["select with returned rows", { search: "select=title", prefer: REPRESENTATION }, applied(KINDS, "")],
  ["order with returned rows", { search: "order=title", prefer: REPRESENTATION }, applied(KINDS, "")],
  [
    "limit with returned rows",
    { search: "limit=2", prefer: REPRESENTATION },
    applied([...READS, ...INSERTS], "PGRST127"),
  ],
  [
    "offset with returned rows",
    { search: "offset=2", prefer: REPRESENTATION },
    applied([...READS, ...INSERTS], "PGRST127"),
  ],
  ["Range with returned rows", { range: "1-2", prefer: REPRESENTATION }, applied(READS, "PGRST127")],
  [
    "a parameter of related rows with returned rows",
    { search: "select=profiles(id)&profiles.id=eq.1", prefer: REPRESENTATION },
    applied(KINDS, ""),
  ],
  ["a filter", { search: "title=eq.x" }, applied([...READS, "update", "delete"], "PGRST127")],
  ["a group of filters", { search: "or=(a.eq.x)" }, applied([...READS, "update", "delete"], "PGRST127")],
  ["columns", { search: "columns=a,b" }, applied([...INSERTS, "update"], "PGRST127")],
  ["on_conflict", { search: "on_conflict=title" }, applied(["upsert"], "PGRST127")],
  ["an unknown parameter", { search: "nosuch=1" }, applied([], "PGRST100")],
  ["count", { prefer: "count=exact" }, applied(KINDS, "")],
  ["timezone", { prefer: "timezone=Europe/Paris" }, applied(KINDS, "")],
  ["max-affected", { prefer: "max-affected=1" }, applied([...INSERTS, "update", "delete"], "PGRST122")],
  ["return", { prefer: REPRESENTATION }, applied([...INSERTS, "update", "delete"], "not listed")],
  ["missing", { prefer: "missing=default" }, applied([...INSERTS, "update"], "not listed")],
  ["tx=rollback", { prefer: "tx=rollback" }, applied([], "PGRST127")],
  ["an object", { accept: "application/vnd.pgrst.object+json" }, applied(KINDS, "")],
  ["another media type", { accept: "text/csv" }, applied([], "PGRST107")],
];

/** Turns the map of preferences into a list, whose order Vitest compares. */
const comparable = (request: Request) => ({
  ...request,
  preferences: [...request.preferences],
});

describe.each(KINDS)("a request of the kind %s", (kind) => {
  const parse = (sent: Sent) => comparable(PARSERS[kind](sent));

  test("is parsed without further parts", () => {
    expect(parse({}).kind).toBe(kind);
  });

  test.each(PARTS.map(([part, sent, outcomes]) => [part, outcomes[kind], sent] as const))(
    "with %s is %s",
    (_part, outcome, sent) => {
      if (outcome === "applied") expect(parse(sent)).not.toEqual(parse({}));
      // The preference isn't in the response's `Preference-Applied`.
      else if (outcome === "not listed") expect(parse(sent)).toEqual(parse({}));
      else expect(() => parse(sent)).toThrow(expect.objectContaining({ code: outcome }));
    },
  );

  test.each(["select=a&select=b", "order=a&order=b", "limit=1&limit=1", "columns=a&columns=b"])(
    "rejects %s, because only one of the values could apply",
    (search) => {
      expect(() => parse({ search, prefer: REPRESENTATION })).toThrow(
        expect.objectContaining({ code: "PGRST100" }),
      );
    },
  );

  test("with handling=strict rejects a preference that does not apply", () => {
    const listed = PARTS.filter(([, { prefer }, outcomes]) => prefer && outcomes[kind] === "not listed");
    for (const [, { prefer }] of listed)
      expect(() => parse({ prefer: `handling=strict, ${prefer}` })).toThrow(
        expect.objectContaining({ code: "PGRST122" }),
      );
  });
});

test("a call with an argument twice in its URL is rejected", () => {
  const call = (search: string) => parseCall(toIncoming("GET", { search }), new Set(["wanted"]));
  expect(call("wanted=a&limit=1").sent.json).toBe('[{"wanted":"a"}]');
  expect(() => call("wanted=a&wanted=a")).toThrow(expect.objectContaining({ code: "PGRST100" }));
});

test("an update or delete without a filter is rejected", () => {
  for (const parse of [
    () => parseUpdate(toIncoming("PATCH", {})),
    () => parseDelete(toIncoming("DELETE", {})),
    () => parseDelete(toIncoming("DELETE", { search: "select=id", prefer: REPRESENTATION })),
  ])
    expect(parse).toThrow(expect.objectContaining({ code: "21000" }));
});
