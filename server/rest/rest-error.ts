import type { ContentfulStatusCode } from "hono/utils/http-status";

interface Particulars {
  details?: string;
  hint?: string;
  headers?: Record<string, string>;
}

/**
 * An answer that is not the one that was asked for: a status and PostgREST's four fields
 * (docs.postgrest.org, "Errors"). Everything in it is shown to the client.
 */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly headers: Record<string, string>;

  /** Takes the status, PostgREST's or PostgreSQL's code, the message, and what else the answer carries. */
  constructor(status: ContentfulStatusCode, code: string, message: string, particulars: Particulars = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = particulars.details ?? null;
    this.hint = particulars.hint ?? null;
    this.headers = particulars.headers ?? {};
  }

  /** Returns the answer to send; the fields stand in the order of their names, as PostgREST writes them. */
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

/** Takes a text that a client sent, returns it short enough to be quoted back to him. */
export function quoted(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** Takes what is wrong, returns PGRST100: the address cannot be read. */
export function unreadable(message: string, details?: string): RestError {
  return new RestError(400, "PGRST100", message, details === undefined ? {} : { details });
}

/** Takes what is wrong and the status (400 unless told), returns PGRST102: the body cannot be read. */
export function badBody(message: string, status: 400 | 413 | 415 = 400): RestError {
  return new RestError(status, "PGRST102", message);
}

/** Takes what is wrong and headers, returns PGRST103: the range of rows makes no sense, or lies behind the last row. */
export function badRange(details: string, headers: Record<string, string> = {}): RestError {
  return new RestError(416, "PGRST103", "Requested range not satisfiable", { details, headers });
}

/** Takes what was asked for, returns PGRST127: a part of PostgREST that this server does not have. */
export function notImplemented(details: string): RestError {
  return new RestError(400, "PGRST127", "Feature not implemented", { details });
}

/** Takes a table's name, returns PGRST205: there is no such table, or none that is shown. */
export function unknownTable(name: string): RestError {
  const message = `Could not find the table 'public.${quoted(name)}' in the schema cache`;
  return new RestError(404, "PGRST205", message);
}

/** Takes table and column, returns 42703: the table has no such column, in a select, a filter or an order. */
export function unknownColumn(table: string, column: string): RestError {
  return new RestError(400, "42703", `column ${table}.${quoted(column)} does not exist`);
}

/** Takes table and column, returns PGRST204: the table has no such column, in what is to be written. */
export function unknownField(table: string, column: string): RestError {
  const message = `Could not find the '${quoted(column)}' column of '${table}' in the schema cache`;
  return new RestError(400, "PGRST204", message);
}

/** Takes how many rows there are, returns PGRST116: a single object was asked for and there is not exactly one. */
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
