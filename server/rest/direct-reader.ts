import { tryGetContext } from "hono/context-storage";
import type { QueryConfig } from "pg";
import {
  AUTHOR_COLUMNS,
  type DataReader,
  type Order,
  ReadError,
  type Filter as ReadFilter,
  type TableRead,
} from "../../common/data/reader.ts";
import { describeFailure } from "../api/api-errors.ts";
import type { ReportFailure } from "../http/access-log.ts";
import type { Log } from "../http/log.ts";
import type { AuthContext, Database } from "../postgres/database.ts";
import { toRestError } from "./error-mapping.ts";
import type { Filter, Select } from "./parse/grammar.ts";
import type { OrderTerm } from "./parse/query.ts";
import type { Call, Read } from "./parse/request.ts";
import { findFunction, findTable, type SchemaCache } from "./schema-cache.ts";
import { callStatement, readStatement } from "./sql/reads.ts";
import { checkSize, type Result } from "./sql/result.ts";

interface ReaderDependencies {
  database: Database;
  schemaCache: SchemaCache;
  log: Log;
}

const VISITOR: AuthContext = { role: "anon" };
const EVERYTHING = { shape: "array", preferences: new Map(), wantsBody: true } as const;
const ALL_COLUMNS: Select = { columns: [{ column: "*", alias: undefined }], embeds: [] };

/**
 * Reads for the site's own pages, as a visitor, with the statements that the same requests to `/rest/v1` would run. Adds
 * failures to the log line of the page's request, if there is one.
 */
export function createReader({ database, schemaCache, log }: ReaderDependencies): DataReader {
  async function run(statementOf: () => QueryConfig): Promise<Result> {
    try {
      const { rows } = await database.read<Result>(VISITOR, statementOf());
      const result = rows[0] as Result;
      checkSize(result);
      return result;
    } catch (error) {
      throw toReadError(error as Error, log);
    }
  }

  return {
    async read<Row>(read: TableRead) {
      const request = toRead(read);
      const result = await run(() => readStatement(schemaCache, findTable(schemaCache, read.table), request));
      return { rows: rowsIn<Row>(result), count: result.total };
    },
    async call<Row>({ function: name, arguments: sent }: { function: string; arguments: object }) {
      const request = toCall(sent);
      const result = await run(() => {
        const called = findFunction(schemaCache, name, request.sent.fields, VISITOR.role);
        return callStatement(schemaCache, called, request);
      });
      return rowsIn<Row>(result);
    },
  };
}

const rowsIn = <Row>({ body }: Result): Row[] => JSON.parse(body ?? "[]");

function toReadError(error: Error, log: Log): ReadError {
  const { status, code, message } = toRestError(error, VISITOR.role);
  const report: ReportFailure =
    tryGetContext()?.var.reportFailure ?? ((fields, event) => log.error(fields, event));
  if (status >= 500) report(describeFailure(error, status), "page_read.failed");
  return new ReadError(code, message);
}

function toRead(read: TableRead): Read {
  const { columns, renamed = {}, withAuthor, filters = [], order = [], limit, offset = 0 } = read;
  const select: Select = {
    columns: [
      ...columns.map((column) => ({ column, alias: undefined })),
      ...Object.entries(renamed).map(([alias, column]) => ({ column, alias })),
    ],
    embeds: withAuthor ? [AUTHOR] : [],
  };
  return {
    ...EVERYTHING,
    kind: "read",
    wantsCount: read.wantsCount === true,
    rows: { select, order: order.map(toTerm), embedded: new Map(), limit, offset },
    filters: filters.map(toFilter),
  };
}

const AUTHOR: Select["embeds"][number] = {
  target: "profiles",
  alias: undefined,
  hint: undefined,
  inner: false,
  isSpread: false,
  columns: AUTHOR_COLUMNS.map((column) => ({ column, alias: undefined })),
};

function toCall(sent: object): Call {
  return {
    ...EVERYTHING,
    kind: "call",
    wantsCount: false,
    sent: { json: JSON.stringify([sent]), isList: false, fields: Object.keys(sent) },
    rows: { select: ALL_COLUMNS, order: [], embedded: new Map(), limit: undefined, offset: 0 },
    filters: [],
  };
}

const OPERATORS = { eq: "=", neq: "<>", lte: "<=" };

function toFilter(filter: ReadFilter): Filter {
  if ("anyOf" in filter) return { operator: "or", members: filter.anyOf.map(toFilter), negated: false };
  const { column } = filter;
  if ("values" in filter) return { column, operator: "= any", value: [...filter.values], negated: false };
  if ("value" in filter)
    return { column, operator: OPERATORS[filter.test], value: String(filter.value), negated: false };
  return { column, operator: filter.test, negated: false };
}

function toTerm(term: Order): OrderTerm {
  if (typeof term === "string") return { column: term, related: undefined, direction: "" };
  const direction = term.nullsLast ? " desc nulls last" : " desc";
  return { column: term.column, related: undefined, direction };
}
