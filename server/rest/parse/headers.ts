import { badRange, excerpt, notImplemented, RestError } from "../rest-error.ts";

export type Shape = "array" | "object";

export const OBJECT_TYPE = "application/vnd.pgrst.object+json";

const SHAPES = new Map<string, Shape>([
  ["*/*", "array"],
  ["application/*", "array"],
  ["application/json", "array"],
  ["application/vnd.pgrst.array+json", "array"],
  [OBJECT_TYPE, "object"],
]);

export function parseAccept(header: string | null): Shape {
  for (const part of (header ?? "*/*").split(",")) {
    const [type = "", ...parameters] = part.split(";").map((token) => token.trim().toLowerCase());
    const shape = SHAPES.get(type);
    if (shape && !parameters.includes("nulls=stripped")) return shape;
  }
  const message = `None of these media types are available: ${excerpt(header ?? "")}`;
  throw new RestError(406, "PGRST107", message);
}

const VALUES = {
  handling: /^(strict|lenient)$/,
  timezone: /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/,
  count: /^(exact|planned|estimated)$/,
  return: /^(minimal|headers-only|representation)$/,
  missing: /^(default|null)$/,
  resolution: /^(merge|ignore)-duplicates$/,
  "max-affected": /^\d{1,15}$/,
};

export type PreferenceName = keyof typeof VALUES;

/** The preferences that a request applies, by name. The response lists them (RFC 7240, `Preference-Applied`). */
export type Preferences = ReadonlyMap<PreferenceName, string>;

/**
 * Returns the preferences in the header `Prefer` that are in `applicable`. If they contradict each other, the first one
 * counts (docs.postgrest.org, "Prefer Header"). Other preferences are ignored unless the header contains
 * `handling=strict`. Throws RestError PGRST122 or PGRST127.
 */
export function parsePrefer(header: string | null, applicable: readonly PreferenceName[]): Preferences {
  const preferences = (header ?? "")
    .split(",")
    .map((preference) => preference.trim())
    .filter((preference) => preference !== "");
  // A client that only tries a change out must not make it, as it would if the preference were ignored.
  if (preferences.includes("tx=rollback")) throw notImplemented("Changes cannot be rolled back");
  const applied = new Map<PreferenceName, string>();
  const others: string[] = [];
  for (const preference of preferences) {
    const [name = "", value = ""] = preference.split("=");
    const isKnown = applicable.includes(name as PreferenceName);
    if (!isKnown || !isValid(name as PreferenceName, value)) others.push(preference);
    else if (!applied.has(name as PreferenceName)) applied.set(name as PreferenceName, value);
  }
  // A request that is to change few rows must not change many, and times in the wrong time zone look right.
  const isVital = (preference: string) => /^(max-affected|timezone)=/.test(preference);
  const refused = applied.get("handling") === "strict" ? others : others.filter(isVital);
  if (refused.length > 0) {
    const message = "Invalid preferences given with handling=strict";
    const details = `Invalid preferences: ${excerpt(refused.join(", "))}`;
    throw new RestError(400, "PGRST122", message, { details });
  }
  return applied;
}

function isValid(name: PreferenceName, value: string): boolean {
  if (!VALUES[name].test(value)) return false;
  return name !== "timezone" || isTimeZone(value);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export interface Page {
  limit: number | undefined;
  offset: number;
}

const RANGE_HEADER = /^(\d{1,15})-(\d{0,15})$/;

/**
 * Returns the page that the `Range` header requests in PostgREST's format (`0-9`), or undefined if the header has
 * another format (RFC 9110 §14.2). Throws RestError PGRST103.
 */
export function parseRange(header: string | null): Page | undefined {
  const match = RANGE_HEADER.exec(header ?? "");
  if (match === null) return undefined;
  const offset = Number(match[1]);
  if (!match[2]) return { offset, limit: undefined };
  return { offset, limit: requireRows(Number(match[2]) + 1 - offset) };
}

/** Returns the rows that are in both pages. Throws RestError PGRST103 if there are none. */
export function intersect(page: Page, range: Page | undefined): Page {
  // PostgREST returns no rows for a limit of 0, whatever the range.
  if (range === undefined || page.limit === 0) return page;
  const offset = Math.max(page.offset, range.offset);
  const end = Math.min(endOf(page), endOf(range));
  return { offset, limit: end === Infinity ? undefined : requireRows(end - offset) };
}

const endOf = ({ limit, offset }: Page) => (limit === undefined ? Infinity : offset + limit);

function requireRows(limit: number): number {
  if (limit >= 1) return limit;
  throw badRange("The lower boundary must be lower than or equal to the upper boundary in the Range header.");
}

export function contentRange(offset: number, rows: number, total: number | null): string {
  return `${rows > 0 ? `${offset}-${offset + rows - 1}` : "*"}/${total ?? "*"}`;
}

/**
 * Returns 206 if the response contains only a part of the list and the client asked for its length (`total`), otherwise
 * 200. Throws RestError PGRST103 for an offset past the end.
 */
export function rangeStatus(offset: number, rows: number, total: number | null): 200 | 206 {
  if (total === null) return 200;
  if (offset > total) {
    const details = `An offset of ${offset} was requested, but there are only ${total} rows.`;
    throw badRange(details, { "content-range": `*/${total}` });
  }
  return rows < total ? 206 : 200;
}
