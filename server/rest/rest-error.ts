import type { ContentfulStatusCode } from "hono/utils/http-status";

interface Particulars {
  details?: string;
  hint?: string;
  headers?: Record<string, string>;
}

/** A status and PostgREST's four fields (docs.postgrest.org, "Errors"). Everything in it is shown to the client. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly headers: Record<string, string>;

  /** The code is PostgREST's or PostgreSQL's. */
  constructor(status: ContentfulStatusCode, code: string, message: string, particulars: Particulars = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = particulars.details ?? null;
    this.hint = particulars.hint ?? null;
    this.headers = particulars.headers ?? {};
  }

  /** The fields stand in the order of their names, as PostgREST writes them. */
  toResponse(): Response {
    const { code, details, hint, message } = this;
    return new Response(JSON.stringify({ code, details, hint, message }), {
      status: this.status,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
        ...this.headers,
      },
    });
  }
}

/** A client's text, short enough to be quoted back to them. */
export function quoted(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** PGRST100: the address cannot be read. */
export function unreadable(message: string, details?: string): RestError {
  return new RestError(400, "PGRST100", message, details === undefined ? {} : { details });
}

/** PGRST102: the body cannot be read. */
export function badBody(message: string, status: 400 | 413 | 415 = 400): RestError {
  return new RestError(status, "PGRST102", message);
}

/** PGRST103: the range of rows makes no sense, or lies behind the last row. */
export function badRange(details: string, headers: Record<string, string> = {}): RestError {
  return new RestError(416, "PGRST103", "Requested range not satisfiable", { details, headers });
}

/** PGRST127: a part of PostgREST that this server does not have. */
export function notImplemented(details: string): RestError {
  return new RestError(400, "PGRST127", "Feature not implemented", { details });
}

/** PGRST205: there is no such table, or none that is shown. */
export function unknownTable(name: string): RestError {
  const message = `Could not find the table 'public.${quoted(name)}' in the schema cache`;
  return new RestError(404, "PGRST205", message);
}

/** 42703: a select, a filter or an order names a column that the table does not have. */
export function unknownColumn(table: string, column: string): RestError {
  return new RestError(400, "42703", `column ${table}.${quoted(column)} does not exist`);
}

/** PGRST204: what is to be written names a column that the table does not have. */
export function unknownField(table: string, column: string): RestError {
  const message = `Could not find the '${quoted(column)}' column of '${table}' in the schema cache`;
  return new RestError(400, "PGRST204", message);
}

/** PGRST116: a single object was asked for and there is not exactly one. */
export function notSingular(rows: number): RestError {
  return new RestError(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
    details: `The result contains ${rows} rows`,
  });
}

/** 54000 (PostgreSQL's "program limit exceeded"): the rows are more than one response may carry. */
export function tooMuch(): RestError {
  return new RestError(400, "54000", "The response is too large", {
    hint: "Ask for fewer rows with limit and offset, or for fewer columns with select.",
  });
}

/** PGRST101: a function is called by a method that does not fit it. */
export function wrongCallMethod(method: string): RestError {
  return new RestError(405, "PGRST101", `Cannot use the ${quoted(method)} method on RPC`);
}
