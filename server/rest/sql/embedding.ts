import { everyRow, type ResourceQuery } from "../parse/query.ts";
import type { Embed, SelectedColumn } from "../parse/select.ts";
import { quoted, RestError, unreadable } from "../rest-error.ts";
import { type ForeignKey, findTable, type SchemaCache, type Table } from "../schema-cache.ts";

interface Relationship {
  name: string;
  table: Table;
  toOne: boolean;
  /** Columns of the outer and of the embedded row that are equal. */
  pairs: [outer: string, inner: string][];
}

export interface EmbeddedResource {
  relationship: Relationship;
  /** In the JSON of the outer row. */
  key: string;
  inner: boolean;
  columns: SelectedColumn[];
  query: ResourceQuery;
}

/** Throws RestError PGRST108, PGRST200 or PGRST201. */
export function resolveEmbeds(
  schemaCache: SchemaCache,
  table: Table,
  embeds: Embed[],
  queries: Map<string, ResourceQuery>,
): EmbeddedResource[] {
  for (const name of queries.keys()) {
    if (!embeds.some((embed) => isCalled(embed, name))) throw notEmbedded(name);
  }
  const resources = embeds.map((embed) => ({
    relationship: findRelationship(schemaCache, table, embed),
    key: embed.alias ?? embed.target,
    inner: embed.inner,
    columns: embed.columns,
    query: queryOf(embed, queries),
  }));
  const names = new Set(resources.map(({ relationship: { name, toOne } }) => `${name} ${toOne}`));
  if (names.size < resources.length) throw unreadable("A relationship can be embedded once");
  return resources;
}

function isCalled(embed: Embed, name: string): boolean {
  return name === embed.alias || name === embed.target;
}

function queryOf(embed: Embed, queries: Map<string, ResourceQuery>): ResourceQuery {
  const own = embed.alias === undefined ? undefined : queries.get(embed.alias);
  return own ?? queries.get(embed.target) ?? everyRow();
}

// A hint names the foreign key or one of its columns (docs.postgrest.org, "Resource Embedding").
function findRelationship(schemaCache: SchemaCache, table: Table, embed: Embed): Relationship {
  const found = schemaCache.foreignKeys.flatMap((key) => {
    const there = key.table === table.name && matches(key, key.referred, true, embed);
    const back = key.referred === table.name && matches(key, key.table, false, embed);
    return [
      ...(there ? [toReferred(schemaCache, key)] : []),
      ...(back ? [fromReferring(schemaCache, key)] : []),
    ];
  });
  const [relationship, another] = found;
  if (relationship === undefined) throw noRelationship(table.name, embed);
  if (another !== undefined) throw ambiguous(table.name, embed, found);
  return relationship;
}

function matches(key: ForeignKey, otherTable: string, there: boolean, embed: Embed): boolean {
  if (embed.hint !== undefined) {
    const names = [key.name, ...single(key.columns), ...single(key.referredColumns)];
    return embed.target === otherTable && names.includes(embed.hint);
  }
  return [otherTable, key.name, ...(there ? single(key.columns) : [])].includes(embed.target);
}

function single(columns: string[]): string[] {
  return columns.length === 1 ? columns : [];
}

function toReferred(schemaCache: SchemaCache, key: ForeignKey): Relationship {
  const pairs = key.columns.map((column, at): [string, string] => [column, key.referredColumns[at] ?? ""]);
  return { name: key.name, table: findTable(schemaCache, key.referred), toOne: true, pairs };
}

function fromReferring(schemaCache: SchemaCache, key: ForeignKey): Relationship {
  const pairs = key.columns.map((column, at): [string, string] => [key.referredColumns[at] ?? "", column]);
  return { name: key.name, table: findTable(schemaCache, key.table), toOne: key.isUnique, pairs };
}

function notEmbedded(name: string): RestError {
  return new RestError(400, "PGRST108", `'${quoted(name)}' is not an embedded resource in this request`, {
    hint: `Verify that '${quoted(name)}' is included in the 'select' query parameter.`,
  });
}

function noRelationship(table: string, embed: Embed): RestError {
  const between = `'${table}' and '${quoted(embed.target)}'`;
  const using = embed.hint === undefined ? "" : ` using the hint '${quoted(embed.hint)}'`;
  return new RestError(
    400,
    "PGRST200",
    `Could not find a relationship between ${between} in the schema cache`,
    {
      details: `Searched for a foreign key relationship between ${between}${using} in the schema 'public', but no matches were found.`,
    },
  );
}

function ambiguous(table: string, embed: Embed, found: Relationship[]): RestError {
  const choices = found.map(({ name }) => `'${embed.target}!${name}'`).join(", ");
  const message = `Could not embed because more than one relationship was found for '${table}' and '${embed.target}'`;
  return new RestError(300, "PGRST201", message, {
    hint: `Try changing '${embed.target}' to one of the following: ${choices}.`,
  });
}
