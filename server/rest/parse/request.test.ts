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

const DEFAULT_ROWS = {
  select: { columns: [{ column: "*", alias: undefined }], embeds: [] },
  order: [],
  embedded: new Map(),
  limit: undefined,
  offset: 0,
};

test("a request without further parts has PostgREST's defaults", () => {
  const common = { shape: "array", preferences: new Map(), wantsCount: false };
  const payload = { json: '[{"a":1}]', isList: false, fields: ["a"] };
  const filters = [{ column: "id", operator: "=", value: "1", negated: false }];
  const write = { ...common, returned: "nothing", maxAffected: Number.POSITIVE_INFINITY };
  const read = { ...common, wantsBody: true, rows: DEFAULT_ROWS };
  expect(PARSERS.read({})).toEqual({ kind: "read", ...read, filters: [] });
  expect(PARSERS.call({})).toEqual({ kind: "call", ...read, filters: [], sent: payload });
  expect(PARSERS.insert({})).toEqual({ kind: "insert", ...write, payload, missingIsDefault: false });
  expect(PARSERS.update({})).toEqual({ kind: "update", ...write, payload, missingIsDefault: false, filters });
  expect(PARSERS.delete({})).toEqual({ kind: "delete", ...write, filters });
});

test.each<[kind: Kind, sent: Sent, part: object]>([
  ["read", { prefer: "count=exact" }, { wantsCount: true }],
  ["read", { range: "1-2" }, { rows: { limit: 2, offset: 1 } }],
  ["read", { search: "limit=5&offset=3", range: "4-5" }, { rows: { limit: 2, offset: 4 } }],
  ["read", { accept: "application/vnd.pgrst.object+json" }, { shape: "object" }],
  [
    "call",
    { search: "limit=5&order=a.desc" },
    { rows: { limit: 5, order: [{ column: "a", direction: " desc" }] } },
  ],
  ["insert", { prefer: "count=exact" }, { wantsCount: true }],
  ["insert", { prefer: "return=minimal" }, { returned: "nothing" }],
  ["insert", { prefer: "return=headers-only" }, { returned: "location" }],
  ["insert", { prefer: REPRESENTATION }, { returned: DEFAULT_ROWS }],
  ["insert", { prefer: REPRESENTATION, search: "limit=2&offset=1" }, { returned: { limit: 2, offset: 1 } }],
  ["insert", { prefer: "missing=default" }, { missingIsDefault: true }],
  ["insert", { prefer: "missing=null" }, { missingIsDefault: false }],
  ["insert", { search: "columns=a,b,a" }, { payload: { fields: ["a", "b"] } }],
  ["update", { prefer: "missing=default" }, { missingIsDefault: true }],
  ["update", { prefer: "max-affected=3" }, { maxAffected: 3 }],
  ["delete", { prefer: "max-affected=0" }, { maxAffected: 0 }],
  ["delete", { prefer: REPRESENTATION }, { returned: DEFAULT_ROWS }],
  ["upsert", {}, { duplicates: "merge", onConflict: undefined }],
  ["upsert", { search: "on_conflict=a,b" }, { onConflict: ["a", "b"] }],
])("a request of the kind %s with %j has the parts %j", (kind, sent, part) => {
  expect(PARSERS[kind](sent)).toMatchObject(part);
});

test("an insert with resolution=ignore-duplicates is an upsert that changes no row", () => {
  const request = parseInsert(toIncoming("POST", { prefer: "resolution=ignore-duplicates" }));
  expect(request).toMatchObject({ kind: "upsert", duplicates: "ignore" });
});

test("a HEAD request wants no body, and its Range header is ignored", () => {
  const request = parseRead(toIncoming("HEAD", { range: "1-2" }));
  expect(request).toMatchObject({ wantsBody: false, rows: { limit: undefined, offset: 0 } });
});

test.each<[search: string, json: string, filters: string[]]>([
  ["", "{}", []],
  ["wanted=a", '{"wanted":"a"}', []],
  ["wanted=eq.1", '{"wanted":"eq.1"}', []],
  ["other=a", '{"other":"a"}', []],
  ["other=eq.1", "{}", ["other"]],
  ["other=not.in.(1,2)", "{}", ["other"]],
  ["wanted=b&title=eq.1&limit=1", '{"wanted":"b"}', ["title"]],
  ["or=(a.eq.1,b.eq.2)", "{}", ["or"]],
  ["not.and=(a.eq.1,b.eq.2)", "{}", ["and"]],
])("a function's call with %j in its URL has the arguments %s", (search, json, filters) => {
  const call = parseCall(toIncoming("GET", { search }), new Set(["wanted"]));
  expect(call.sent.json).toBe(`[${json}]`);
  expect(call.filters.map((filter) => ("column" in filter ? filter.column : filter.operator))).toEqual(
    filters,
  );
});

test("a function's call without a body's bytes has no arguments", () => {
  const incoming = { ...toIncoming("POST", {}), bytes: new Uint8Array() };
  expect(parseCall(incoming, new Set(["wanted"])).sent.json).toBe("[{}]");
});

const LIST = new TextEncoder().encode('[{"a":1},{"a":2}]');
const UNEQUAL = new TextEncoder().encode('[{"a":1},{"b":2}]');
const withBytes = (bytes: Uint8Array, sent: Sent = {}) => ({ ...toIncoming("POST", sent), bytes });

/** PostgREST's errors of this kind have the reason in `details`. */
const because = (details: unknown) => ({
  code: "PGRST127",
  message: "Feature not implemented",
  extras: expect.objectContaining({ details }),
});

test.each<[what: string, parse: () => unknown, error: object]>([
  [
    "repeats a parameter",
    () => PARSERS.read({ search: "select=a&select=b" }),
    { status: 400, message: 'The parameter "select" occurs more than once' },
  ],
  [
    "updates every row",
    () => parseUpdate(toIncoming("PATCH", {})),
    { message: "UPDATE requires a WHERE clause" },
  ],
  [
    "deletes every row",
    () => parseDelete(toIncoming("DELETE", {})),
    { status: 400, message: "DELETE requires a WHERE clause" },
  ],
  [
    "updates with a list",
    () => parseUpdate({ ...withBytes(LIST), method: "PATCH" }),
    { message: "An update takes one JSON object" },
  ],
  [
    "calls with a list",
    () => parseCall(withBytes(LIST), new Set()),
    { status: 400, message: "A function takes one JSON object of arguments" },
  ],
  [
    "has rows with different keys",
    () => parseInsert(withBytes(UNEQUAL)),
    { message: "All object keys must match" },
  ],
  [
    "filters an insert",
    () => PARSERS.insert({ search: "a=eq.1" }),
    because(expect.stringMatching(/^A POST has no filters: .+ Use PATCH\.$/)),
  ],
  [
    "names a constraint without a resolution",
    () => PARSERS.insert({ search: "on_conflict=a" }),
    because(expect.stringContaining("on_conflict needs Prefer: resolution=merge-duplicates")),
  ],
  ...(["limit", "offset"] as const).map((part): [string, () => unknown, object] => [
    `has ${part} in an update`,
    () => PARSERS.update({ search: `${part}=1`, prefer: REPRESENTATION }),
    because("An update or delete cannot be limited to a part of the rows that match its filter."),
  ]),
  [
    "limits an insert by Range",
    () => PARSERS.insert({ range: "0-1" }),
    because("Only reads can be limited by the header Range."),
  ],
  [
    "names columns of a delete",
    () => PARSERS.delete({ search: "columns=a" }),
    because("The parameter columns does not apply to this request."),
  ],
  [
    "selects columns of rows that aren't returned",
    () => PARSERS.insert({ search: "select=a" }),
    because("select applies to returned rows: send Prefer: return=representation."),
  ],
  [
    "has a negative limit",
    () => PARSERS.read({ search: "limit=-1" }),
    {
      status: 416,
      extras: expect.objectContaining({ details: "Limit should be greater than or equal to zero." }),
    },
  ],
  [
    "has a negative offset",
    () => PARSERS.read({ search: "offset=-1" }),
    { extras: expect.objectContaining({ details: "Offset should be greater than or equal to zero." }) },
  ],
  [
    "embeds rows of embedded rows",
    () => PARSERS.read({ search: "a.b.limit=1" }),
    because("Resources can be embedded only one level deep"),
  ],
  [
    "only tries a change out",
    () => PARSERS.insert({ prefer: "tx=rollback" }),
    because("Changes cannot be rolled back"),
  ],
  [
    "has an unknown preference with handling=strict",
    () => PARSERS.read({ prefer: "handling=strict, nosuch=1,  other" }),
    {
      status: 400,
      message: "Invalid preferences given with handling=strict",
      extras: expect.objectContaining({ details: "Invalid preferences: nosuch=1, other" }),
    },
  ],
  [
    "wants CSV",
    () => PARSERS.read({ accept: "text/csv" }),
    { status: 406, message: "None of these media types are available: text/csv" },
  ],
])("a request that %s is rejected with that reason", (_, parse, error) => {
  expect(parse).toThrow(expect.objectContaining(error));
});

test("a preference that only contains a vital one's name is ignored", () => {
  expect(PARSERS.read({ prefer: "my-timezone=Mars" }).preferences.size).toBe(0);
  expect(() => PARSERS.read({ prefer: "timezone=Mars" })).toThrow(
    expect.objectContaining({ code: "PGRST122" }),
  );
});
