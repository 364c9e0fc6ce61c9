import type { Role } from "../postgres/database.ts";
import { excerpt, RestError } from "./rest-error.ts";
import type {
  ColumnDetails,
  DatabaseFunction,
  Operation,
  Relationship,
  SchemaCache,
  Table,
} from "./schema-cache.ts";

type Json = Record<string, unknown>;

const MEDIA_TYPES = ["application/openapi+json", "application/json", "application/*", "*/*"];

/**
 * Describes the tables and functions that a role may use as an OpenAPI 2.0 document, in the form of PostgREST's root
 * endpoint (docs.postgrest.org, "OpenAPI"). Type generators and admin tools read that form. Unlike PostgREST's, the
 * document also describes the errors and what functions return.
 */
export function describeApi({ tables, relationships, functions }: SchemaCache, role: Role): Json {
  const shown = [...tables.values()].filter((table) => operationsOf(table, role).length > 0);
  const callable = [...functions.values()].filter(({ roles }) => roles.includes(role));
  return {
    swagger: "2.0",
    info: {
      title: "Techfolio",
      version: "1",
      description:
        "The tables and functions that the sender of this request may use, in the protocol of PostgREST. The members' own rows are decided by row-level security.",
    },
    basePath: "/rest/v1",
    consumes: ["application/json"],
    produces: ["application/json", "application/vnd.pgrst.object+json"],
    paths: Object.fromEntries([
      ["/", { get: describeRoot }],
      ...shown.map((table) => [`/${table.name}`, describeTable(table, role)]),
      ...callable.map((called) => [`/rpc/${called.name}`, describeFunction(called)]),
    ]),
    definitions: Object.fromEntries(
      shown.map((table) => [
        table.name,
        describeRows(table, relationships, new Set(shown.map(({ name }) => name))),
      ]),
    ),
    parameters: { ...PARAMETERS, ...Object.fromEntries(shown.flatMap(describeParameters)) },
    securityDefinitions: {
      apikey: { type: "apiKey", in: "header", name: "apikey", description: "The site's public key" },
      bearer: {
        type: "apiKey",
        in: "header",
        name: "Authorization",
        description: "Bearer and a member's token",
      },
    },
    security: [{ apikey: [] }],
  };
}

/** Throws RestError PGRST107 if the client accepts no JSON. */
export function checkAcceptsOpenApi(accept = "*/*"): void {
  const types = accept.split(",").map((type) => type.split(";")[0]?.trim().toLowerCase() ?? "");
  if (types.some((type) => MEDIA_TYPES.includes(type))) return;
  throw new RestError(406, "PGRST107", `None of these media types are available: ${excerpt(accept)}`);
}

/** Visitors can't write, whatever their role was granted. */
function operationsOf({ privileges }: Table, role: Role): Operation[] {
  const granted = privileges[role] ?? [];
  return role === "anon" ? granted.filter((operation) => operation === "select") : granted;
}

const ERROR = {
  description: "Error",
  schema: {
    type: "object",
    required: ["code", "message"],
    properties: {
      code: { type: "string" },
      message: { type: "string" },
      details: {},
      hint: {},
    },
  },
};

const ref = (name: string) => ({ $ref: `#/parameters/${name}` });
const rowsOf = (name: string) => ({ type: "array", items: { $ref: `#/definitions/${name}` } });

function responses(table: string, statuses: Record<string, string>) {
  const described = Object.entries(statuses).map(([status, description]) => [
    status,
    { description, ...(status !== "204" && { schema: rowsOf(table) }) },
  ]);
  return { ...Object.fromEntries(described), default: ERROR };
}

const describeRoot = {
  tags: ["Introspection"],
  summary: "OpenAPI description (this document)",
  produces: ["application/openapi+json", "application/json"],
  responses: { "200": { description: "OK" }, default: ERROR },
};

function describeTable(table: Table, role: Role): Json {
  const { name } = table;
  const filters = table.columns.map((column) => ref(`rowFilter.${name}.${column}`));
  const described: Record<Operation, [method: string, operation: Json]> = {
    select: [
      "get",
      {
        parameters: [...filters, ...["select", "order", "limit", "offset", "range", "preferCount"].map(ref)],
        responses: responses(name, { "200": "OK", "206": "Partial Content" }),
      },
    ],
    insert: [
      "post",
      {
        parameters: [`body.${name}`, "select", "columns", "on_conflict", "preferPost"].map(ref),
        responses: responses(name, { "200": "OK", "201": "Created" }),
      },
    ],
    update: [
      "patch",
      {
        parameters: [...filters, ...[`body.${name}`, "select", "preferReturn"].map(ref)],
        responses: responses(name, { "200": "OK", "204": "No Content" }),
      },
    ],
    delete: [
      "delete",
      {
        parameters: [...filters, ...["select", "preferReturn"].map(ref)],
        responses: responses(name, { "200": "OK", "204": "No Content" }),
      },
    ],
  };
  return Object.fromEntries(
    operationsOf(table, role).map((operation) => {
      const [method, details] = described[operation];
      return [method, { tags: [name], ...(table.description && { summary: table.description }), ...details }];
    }),
  );
}

function describeFunction(called: DatabaseFunction): Json {
  const { name, table, arguments: parameters, mayWrite } = called;
  const schema = table === null ? { type: "array", items: {} } : rowsOf(table);
  const common = {
    tags: [`(rpc) ${name}`],
    ...(called.description && { summary: called.description }),
    responses: {
      "200": { description: "OK", schema },
      "206": { description: "Partial Content", schema },
      default: ERROR,
    },
  };
  const page = [
    "limit",
    "offset",
    "range",
    "preferCount",
    ...(table === null ? [] : ["select", "order"]),
  ].map(ref);
  const inQuery = parameters.map((argument) => ({
    name: argument.name,
    in: "query",
    required: argument.required,
    // An array is written as PostgreSQL's literal, such as {a,b}.
    ...(argument.type.endsWith("[]") ? { type: "string", format: argument.type } : jsonType(argument.type)),
  }));
  const inBody = {
    name: "args",
    in: "body",
    required: true,
    schema: {
      type: "object",
      required: parameters.filter(({ required }) => required).map((argument) => argument.name),
      properties: Object.fromEntries(parameters.map((argument) => [argument.name, jsonType(argument.type)])),
    },
  };
  const required =
    inBody.schema.required.length > 0 ? inBody.schema : { ...inBody.schema, required: undefined };
  return {
    ...(!mayWrite && { get: { ...common, parameters: [...inQuery, ...page] } }),
    post: { ...common, parameters: [{ ...inBody, schema: required }, ...page] },
  };
}

function describeRows(table: Table, relationships: Relationship[], shown: Set<string>): Json {
  const required = table.details.filter(({ nullable }) => !nullable).map(({ name }) => name);
  const properties = table.details.map((column) => {
    const reference = relationships.find(
      (relationship) =>
        relationship.cardinality === "many-to-one" &&
        relationship.table === table.name &&
        relationship.column === column.name &&
        shown.has(relationship.otherTable),
    );
    return [column.name, describeColumn(column, table.primaryKey.includes(column.name), reference)];
  });
  return {
    type: "object",
    ...(table.description && { description: table.description }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

function describeColumn(column: ColumnDetails, isKey: boolean, reference: Relationship | undefined): Json {
  const notes = [
    ...(isKey ? ["This is a Primary Key.<pk/>"] : []),
    ...(reference
      ? [
          `This is a Foreign Key to \`${reference.otherTable}.${reference.otherColumn}\`.<fk table='${reference.otherTable}' column='${reference.otherColumn}'/>`,
        ]
      : []),
  ];
  const description = [column.description, notes.length > 0 && `Note:\n${notes.join("\n")}`].filter(Boolean);
  return {
    ...jsonType(column.type),
    ...(column.values && { enum: column.values }),
    ...(column.default !== null && { default: literal(column.default) }),
    ...(column.nullable && { "x-nullable": true }),
    ...(description.length > 0 && { description: description.join("\n\n") }),
  };
}

/** Turns `'none'::text` into `none`, as PostgREST does. Other defaults remain SQL. */
function literal(expression: string): string {
  return /^'([^']*)'::[\w ".]+$/.exec(expression)?.[1] ?? expression;
}

const TYPES: Record<string, string> = {
  boolean: "boolean",
  smallint: "integer",
  integer: "integer",
  bigint: "integer",
  numeric: "number",
  real: "number",
  "double precision": "number",
};

function jsonType(type: string): Json {
  if (type.endsWith("[]")) return { type: "array", format: type, items: jsonType(type.slice(0, -2)) };
  if (type === "json" || type === "jsonb") return { format: type };
  return { type: TYPES[type] ?? "string", format: type };
}

function describeParameters(table: Table): [string, Json][] {
  const filters = table.details.map(({ name, type }): [string, Json] => [
    `rowFilter.${table.name}.${name}`,
    {
      name,
      in: "query",
      required: false,
      type: "string",
      format: type,
      description: "For example, eq.value",
    },
  ]);
  const schema = { $ref: `#/definitions/${table.name}` };
  return [...filters, [`body.${table.name}`, { name: table.name, in: "body", required: false, schema }]];
}

const query = (name: string, description: string, more: Json = { type: "string" }) => ({
  name,
  in: "query",
  required: false,
  description,
  ...more,
});
const prefer = (...values: string[]) => ({
  name: "Prefer",
  in: "header",
  required: false,
  type: "string",
  enum: values,
  description: "Preference",
});
const resolutions = ["resolution=ignore-duplicates", "resolution=merge-duplicates"];

const PARAMETERS = {
  select: query("select", "The columns to return, such as id,title,profiles(username)"),
  order: query("order", "The order of the rows, such as created_at.desc"),
  limit: query("limit", "The number of rows", { type: "integer", minimum: 0 }),
  offset: query("offset", "How many rows to skip", { type: "integer", minimum: 0 }),
  columns: query("columns", "The columns that the rows of the body have"),
  on_conflict: query("on_conflict", "The columns by which an upsert finds existing rows"),
  range: { ...query("Range", "The part of the list, such as 0-9"), in: "header" },
  preferCount: prefer("count=exact", "count=planned", "count=estimated"),
  preferReturn: prefer("return=representation", "return=minimal"),
  preferPost: prefer("return=representation", "return=minimal", "return=headers-only", ...resolutions),
};
