import type { Embed } from "../parse/grammar.ts";
import { everyRow, type ResourceQuery } from "../parse/query.ts";
import type { Selected } from "../parse/request.ts";
import { excerpt, notImplemented, RestError, unreadable } from "../rest-error.ts";
import { findTable, type Relationship, type SchemaCache, type Table } from "../schema-cache.ts";

/** Each one has its own limit on the size of the response. */
const MAX_REPETITIONS = 2;

export interface EmbeddedResource extends Embed {
  relationship: Relationship;
  table: Table;
  query: ResourceQuery;
  /** Only the number of rows is embedded, under this key. */
  count: string | undefined;
}

/**
 * Finds the table and the foreign key of each embedded resource in a query. Throws RestError PGRST100, PGRST108,
 * PGRST127, PGRST200 or PGRST201.
 */
export function resolveEmbeds(
  schemaCache: SchemaCache,
  table: Table,
  { select: { embeds }, embedded }: Selected,
): EmbeddedResource[] {
  const queries = new Map<Embed, ResourceQuery>();
  for (const [name, query] of embedded) {
    const embed = findEmbed(embeds, name);
    if (queries.has(embed)) throw unreadable(`'${excerpt(name)}' has parameters under two names`);
    queries.set(embed, query);
  }
  const resources = embeds.map((embed) => {
    const relationship = findRelationship(schemaCache, table, embed);
    if (embed.isSpread && !isToOne(relationship))
      throw notToOne("PGRST119", "spread operation", table, embed);
    const other = findTable(schemaCache, relationship.otherTable);
    const query = queries.get(embed) ?? everyRow();
    return { ...embed, relationship, table: other, query, count: countKey(other, embed, query) };
  });
  for (const { relationship } of resources) {
    const same = resources.filter((resource) => resource.relationship === relationship);
    if (same.length > MAX_REPETITIONS)
      throw unreadable(`A relationship can be embedded at most ${MAX_REPETITIONS} times`);
  }
  return resources;
}

/** The embedded resource with this alias or, if there is none, of this table. Throws RestError PGRST100 or PGRST108. */
export function findEmbed<Some extends Embed>(embeds: Some[], name: string): Some {
  const byAlias = embeds.filter(({ alias }) => alias === name);
  const [embed, another] = byAlias.length > 0 ? byAlias : embeds.filter(({ target }) => target === name);
  if (embed === undefined) throw notEmbedded(name);
  if (another === undefined) return embed;
  throw unreadable(`'${excerpt(name)}' is embedded more than once: use its alias`);
}

/** Whether each row has at most one related row. */
export const isToOne = ({ cardinality }: Relationship) => cardinality !== "one-to-many";

export function notToOne(code: string, what: string, table: Table, { target }: Embed): RestError {
  return new RestError(400, code, `A ${what} on '${target}' is not possible`, {
    details: `'${table.name}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  });
}

function findRelationship({ relationships }: SchemaCache, table: Table, embed: Embed): Relationship {
  const candidates = relationships.filter(
    (relationship) => relationship.table === table.name && matches(relationship, embed),
  );
  const [relationship, another] = candidates;
  if (relationship === undefined) throw noRelationship(table.name, embed);
  if (another === undefined) return relationship;
  const isSelfReference =
    candidates.length === 2 &&
    candidates.every(
      ({ constraint, otherTable }) => constraint === relationship.constraint && otherTable === table.name,
    );
  if (!isSelfReference) throw ambiguous(table.name, embed, candidates);
  // As in PostgREST, a table that refers to itself embeds the rows that refer to each row. Only the column as a name
  // (`parent_id(*)`) embeds the row that is referred to.
  return candidates.find((candidate) => !isManyToOne(candidate)) ?? relationship;
}

const isManyToOne = ({ cardinality }: Relationship) => cardinality === "many-to-one";

function countKey(table: Table, { columns }: Embed, query: ResourceQuery): string | undefined {
  const isCount = (column: string) =>
    column === "count()" || (column === "count" && !table.columns.includes("count"));
  const counted = columns.find(({ column }) => isCount(column));
  if (counted === undefined) return undefined;
  if (columns.length > 1) throw notImplemented("A count cannot be combined with columns of the same table");
  if (query.order.length > 0 || query.limit !== undefined || query.offset > 0)
    throw notImplemented("A count takes filters, but no order, limit or offset");
  return counted.alias ?? "count";
}

// Whether the name of an embedded resource refers to this relationship (docs.postgrest.org, "Resource Embedding").
function matches(relationship: Relationship, { target, hint }: Embed): boolean {
  const { constraint, column, otherTable, otherColumn } = relationship;
  if (hint !== undefined) return target === otherTable && [constraint, column, otherColumn].includes(hint);
  return target === otherTable || target === constraint || (isManyToOne(relationship) && target === column);
}

function notEmbedded(name: string): RestError {
  return new RestError(400, "PGRST108", `'${excerpt(name)}' is not an embedded resource in this request`, {
    hint: `Verify that '${excerpt(name)}' is included in the 'select' query parameter.`,
  });
}

function noRelationship(table: string, embed: Embed): RestError {
  const between = `'${table}' and '${excerpt(embed.target)}'`;
  const using = embed.hint === undefined ? "" : ` using the hint '${excerpt(embed.hint)}'`;
  return new RestError(
    400,
    "PGRST200",
    `Could not find a relationship between ${between} in the schema cache`,
    {
      details: `Searched for a foreign key relationship between ${between}${using} in the schema 'public', but no matches were found.`,
    },
  );
}

function ambiguous(table: string, embed: Embed, candidates: Relationship[]): RestError {
  const choices = candidates.map(({ constraint, otherTable }) => `'${otherTable}!${constraint}'`).join(", ");
  const details = candidates.map(({ constraint, column, otherTable, otherColumn, cardinality }) => ({
    cardinality,
    embedding: `${table} with ${otherTable}`,
    relationship: `${constraint} using ${table}(${column}) and ${otherTable}(${otherColumn})`,
  }));
  const message = `Could not embed because more than one relationship was found for '${table}' and '${embed.target}'`;
  return new RestError(300, "PGRST201", message, {
    details,
    hint: `Try changing '${embed.target}' to one of the following: ${choices}. Find the desired relationship in the 'details' key.`,
  });
}
