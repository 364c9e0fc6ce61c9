import { badBody, notImplemented, RestError } from "../rest-error.ts";
import { decodeBody, type Payload, parsePayload } from "./body.ts";
import type { Filter, Select } from "./grammar.ts";
import {
  intersect,
  type Page,
  type PreferenceName,
  type Preferences,
  parseAccept,
  parsePrefer,
  parseRange,
  type Shape,
} from "./headers.ts";
import {
  type OrderTerm,
  type Parameter,
  parseQuery,
  type Query,
  type ResourceQuery,
  requireSingle,
} from "./query.ts";

/** The rows of a response: their columns, related rows and order, and a part of the list. */
export interface Selected extends Page {
  select: Select;
  order: OrderTerm[];
  /** Queries of embedded resources, by the name before the dot, as in `skills.order=name`. */
  embedded: Map<string, ResourceQuery>;
}

interface Common {
  shape: Shape;
  preferences: Preferences;
  wantsCount: boolean;
}

interface Reading extends Common {
  rows: Selected;
  filters: Filter[];
  /** A HEAD request wants none. */
  wantsBody: boolean;
}

export interface Read extends Reading {
  kind: "read";
}

/** A function's rows are selected like a table's. */
export interface Call extends Reading {
  kind: "call";
  sent: Payload;
}

interface Write extends Common {
  /** `location` is the path of the only new row. */
  returned: Selected | "location" | "nothing";
  maxAffected: number;
}

interface WriteWithPayload extends Write {
  payload: Payload;
  /** Whether a row that lacks a key gets the column's default instead of null. */
  missingIsDefault: boolean;
}

export interface Insert extends WriteWithPayload {
  kind: "insert";
}

export interface Upsert extends WriteWithPayload {
  kind: "upsert";
  duplicates: "merge" | "ignore";
  /** Undefined means the primary key. */
  onConflict: string[] | undefined;
}

export interface Update extends WriteWithPayload {
  kind: "update";
  filters: Filter[];
}

export interface Delete extends Write {
  kind: "delete";
  filters: Filter[];
}

export type Mutation = Insert | Upsert | Update | Delete;
export type Request = Read | Call | Mutation;
type Kind = Request["kind"];

export interface Incoming {
  method: string;
  parameters: Parameter[];
  headers: Headers;
  /** The body, on routes that read one. */
  bytes: Uint8Array | undefined;
}

const OF_ALL: PreferenceName[] = ["handling", "timezone", "count"];
const OF_WRITES: PreferenceName[] = [...OF_ALL, "return", "max-affected"];
const PREFERENCES: Record<Kind, PreferenceName[]> = {
  read: OF_ALL,
  call: OF_ALL,
  insert: [...OF_WRITES, "missing", "resolution"],
  upsert: [...OF_WRITES, "missing", "resolution"],
  update: [...OF_WRITES, "missing"],
  delete: OF_WRITES,
};

const RELATED = "parameters of related rows";
type Part =
  | "select"
  | "order"
  | "limit"
  | "offset"
  | "Range"
  | "columns"
  | "on_conflict"
  | "filters"
  | typeof RELATED;

const PARTS_OF_READS: Part[] = ["select", "order", "limit", "offset", "Range", "filters", RELATED];

/** The parts that each kind of request applies. The others are rejected. */
const PARTS: Record<Kind, Part[]> = {
  read: PARTS_OF_READS,
  call: PARTS_OF_READS,
  insert: ["columns"],
  upsert: ["columns", "on_conflict"],
  update: ["columns", "filters"],
  delete: ["filters"],
};

/** The parts that apply to the rows that a write returns. */
const PARTS_OF_RETURNED: Record<Kind, Part[]> = {
  read: [],
  call: [],
  insert: ["select", "order", "limit", "offset", RELATED],
  upsert: ["select", "order", "limit", "offset", RELATED],
  // PostgREST also applies limit and offset, but changes all rows that match the filter. Clients may not expect that.
  update: ["select", "order", RELATED],
  delete: ["select", "order", RELATED],
};

const REASONS: Partial<Record<Part, string>> = {
  filters: "A POST has no filters: an upsert would also change rows that don't match them. Use PATCH.",
  on_conflict: "on_conflict needs Prefer: resolution=merge-duplicates or resolution=ignore-duplicates.",
  limit: "An update or delete cannot be limited to a part of the rows that match its filter.",
  offset: "An update or delete cannot be limited to a part of the rows that match its filter.",
  Range: "Only reads can be limited by the header Range.",
};

/** Throws RestError, also for each part that doesn't apply to a read. So do the functions for the other kinds. */
export function parseRead(incoming: Incoming): Read {
  return { kind: "read", ...readingParts("read", parseQuery(incoming.parameters), incoming) };
}

const QUERY_PARAMETER = /^(select|order|limit|offset|(not\.)?(and|or))$|\./;
const FILTER =
  /^(not\.)?(eq|neq|gte?|lte?|i?like|i?match|in|is|isdistinct|cs|cd|ov|s[lr]|nx[lr]|adj|(pl|ph|w)?fts)(\((any|all|\w*)\))?\./;

/**
 * Reads a function's arguments from the body or, if there is none, from the URL. There, a parameter with the name of an
 * argument is that argument, even if its value looks like a filter (`eq.1`), because it can be a search text. In
 * PostgREST it would be a filter.
 */
export function parseCall(incoming: Incoming, argumentNames: ReadonlySet<string>): Call {
  const { parameters, headers, bytes } = incoming;
  const isArgument = ([name, value]: Parameter) =>
    bytes === undefined && (argumentNames.has(name) || !(QUERY_PARAMETER.test(name) || FILTER.test(value)));
  const sentInUrl = parameters.filter(isArgument);
  requireSingle(sentInUrl.map(([name]) => name));
  const json =
    bytes === undefined ? JSON.stringify(Object.fromEntries(sentInUrl)) : decodeBody(bytes, headers);
  const sent = parsePayload(json || "{}");
  if (sent.isList) throw badBody("A function takes one JSON object of arguments");
  const query = parseQuery(parameters.filter((parameter) => !isArgument(parameter)));
  return { kind: "call", sent, ...readingParts("call", query, incoming) };
}

export function parseInsert(incoming: Incoming): Insert | Upsert {
  const query = parseQuery(incoming.parameters);
  const resolution = parsePrefer(incoming.headers.get("prefer"), PREFERENCES.insert).get("resolution");
  if (resolution === undefined)
    return { kind: "insert", ...writingParts("insert", query, incoming), ...payloadParts(query, incoming) };
  return {
    kind: "upsert",
    ...writingParts("upsert", query, incoming),
    ...payloadParts(query, incoming),
    duplicates: resolution === "merge-duplicates" ? "merge" : "ignore",
    onConflict: query.onConflict,
  };
}

export function parseUpdate(incoming: Incoming): Update {
  const query = parseQuery(incoming.parameters);
  const { payload, missingIsDefault } = payloadParts(query, incoming);
  if (payload.isList) throw badBody("An update takes one JSON object");
  const filters = requireFilters(query, "UPDATE");
  return { kind: "update", ...writingParts("update", query, incoming), payload, missingIsDefault, filters };
}

export function parseDelete(incoming: Incoming): Delete {
  const query = parseQuery(incoming.parameters);
  const filters = requireFilters(query, "DELETE");
  return { kind: "delete", ...writingParts("delete", query, incoming), filters };
}

function readingParts(kind: "read" | "call", query: Query, { method, headers }: Incoming): Reading {
  const preferences = parsePrefer(headers.get("prefer"), PREFERENCES[kind]);
  const isHead = method === "HEAD";
  // Ignore the Range header of HEAD requests: it is defined only for GET (RFC 9110 §14.2).
  const range = isHead ? undefined : parseRange(headers.get("range"));
  requireApplied(kind, query, range, true);
  return {
    shape: parseAccept(headers.get("accept")),
    preferences,
    wantsCount: preferences.has("count"),
    wantsBody: !isHead,
    rows: { ...toSelected(query), ...intersect(pageOf(query), range) },
    filters: query.filters,
  };
}

function writingParts(kind: Mutation["kind"], query: Query, { headers }: Incoming): Write {
  const preferences = parsePrefer(headers.get("prefer"), PREFERENCES[kind]);
  const wanted = preferences.get("return");
  const wantsRows = wanted === "representation";
  requireApplied(kind, query, parseRange(headers.get("range")), wantsRows);
  const location = wanted === "headers-only" ? "location" : "nothing";
  return {
    shape: parseAccept(headers.get("accept")),
    preferences,
    wantsCount: preferences.has("count"),
    returned: wantsRows ? toSelected(query) : location,
    maxAffected: Number(preferences.get("max-affected") ?? Infinity),
  };
}

function payloadParts({ columns }: Query, { bytes = new Uint8Array(), headers }: Incoming) {
  const preferences = parsePrefer(headers.get("prefer"), PREFERENCES.insert);
  return {
    payload: parsePayload(decodeBody(bytes, headers), columns),
    missingIsDefault: preferences.get("missing") === "default",
  };
}

const pageOf = ({ limit, offset }: Query): Page => ({ limit, offset: offset ?? 0 });

function toSelected(query: Query): Selected {
  const {
    select = { columns: [{ column: "*", alias: undefined }], embeds: [] },
    order = [],
    embedded,
  } = query;
  return { select, order, embedded, ...pageOf(query) };
}

/** Throws RestError PGRST127 for a part of the request that would have no effect. */
function requireApplied(kind: Kind, query: Query, range: Page | undefined, returnsRows: boolean): void {
  const { select, order, limit, offset, columns, onConflict, filters, embedded } = query;
  const sent: Record<Part, boolean> = {
    select: select !== undefined,
    order: order !== undefined,
    limit: limit !== undefined,
    offset: offset !== undefined,
    Range: range !== undefined,
    columns: columns !== undefined,
    on_conflict: onConflict !== undefined,
    filters: filters.length > 0,
    [RELATED]: embedded.size > 0,
  };
  for (const part of Object.keys(sent) as Part[]) {
    if (!sent[part] || PARTS[kind].includes(part)) continue;
    if (!PARTS_OF_RETURNED[kind].includes(part))
      throw notImplemented(REASONS[part] ?? `The parameter ${part} does not apply to this request.`);
    if (!returnsRows)
      throw notImplemented(`${part} applies to returned rows: send Prefer: return=representation.`);
  }
}

/**
 * Throws RestError 21000 if the request has no filter, because the command would change all of a member's rows. Hosted Supabase
 * also rejects such commands.
 */
function requireFilters({ filters }: Query, command: "UPDATE" | "DELETE"): Filter[] {
  if (filters.length > 0) return filters;
  throw new RestError(400, "21000", `${command} requires a WHERE clause`);
}
