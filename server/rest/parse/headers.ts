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

export function parseAccept(header = "*/*"): Shape {
  for (const part of header.split(",")) {
    const [type = "", ...parameters] = part.split(";").map((token) => token.trim().toLowerCase());
    const shape = SHAPES.get(type);
    if (shape && !parameters.includes("nulls=stripped")) return shape;
  }
  const message = `None of these media types are available: ${excerpt(header)}`;
  throw new RestError(406, "PGRST107", message);
}

export interface Preferences {
  duplicates: "merge" | "ignore" | undefined;
  /** Whether an inserted row that lacks a key gets the column's default instead of null. */
  missingIsDefault: boolean;
  wantsRows: boolean;
  /** Whether the response to an insert names the new row in the header `Location`. */
  wantsLocation: boolean;
  wantsCount: boolean;
}

const PREFERENCE =
  /^(|handling=(strict|lenient)|resolution=(merge|ignore)-duplicates|missing=(default|null)|return=(minimal|headers-only|representation)|count=(exact|planned|estimated))$/;

/**
 * If preferences contradict each other, the first one counts (docs.postgrest.org, "Prefer Header").
 * Throws RestError PGRST122 or PGRST127.
 */
export function parsePrefer(header = ""): Preferences {
  const preferences = header.split(",").map((preference) => preference.trim());
  const unknown = preferences.filter((preference) => !PREFERENCE.test(preference));
  if (preferences.includes("handling=strict") && unknown.length > 0)
    throw new RestError(400, "PGRST122", "Invalid preferences given with handling=strict", {
      details: `Invalid preferences: ${excerpt(unknown.join(", "))}`,
    });
  // A client that only tries a change out must not make it, as it would if the preference were ignored.
  if (preferences.includes("tx=rollback")) throw notImplemented("Changes cannot be rolled back");
  const first = (name: string) =>
    preferences.find((preference) => PREFERENCE.test(preference) && preference.startsWith(name));
  const resolution = first("resolution");
  return {
    duplicates: (["merge", "ignore"] as const).find((duplicates) => resolution?.includes(duplicates)),
    missingIsDefault: first("missing") === "missing=default",
    wantsRows: first("return") === "return=representation",
    wantsLocation: first("return") === "return=headers-only",
    // Clients that request an estimate also get an exact count.
    wantsCount: first("count") !== undefined,
  };
}

export interface Page {
  limit: number | undefined;
  offset: number;
}

const RANGE_HEADER = /^(\d{1,15})-(\d{0,15})$/;

/**
 * Returns the page that the `Range` header requests in PostgREST's format (`0-9`). If the URL has a limit or an offset
 * above 0, the header is ignored, and `page` is returned. Throws RestError PGRST103.
 */
export function withRange(page: Page, header: string | undefined): Page {
  const match = RANGE_HEADER.exec(header ?? "");
  if (match === null || page.limit !== undefined || page.offset > 0) return page;
  const offset = Number(match[1]);
  if (!match[2]) return { offset, limit: undefined };
  const limit = Number(match[2]) + 1 - offset;
  if (limit < 1) {
    throw badRange(
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
    );
  }
  return { offset, limit };
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
