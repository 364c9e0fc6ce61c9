import type { ItemFields, NewRow } from "../../common/data/schema.ts";
import { KINDS, type KindTable } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";

/** A member's input for an item of each kind. The compiler requires an entry for every kind. */
const FIELDS: { [Table in KindTable]: ItemFields<NewRow<Table>> } = {
  articles: { title: "Joins that lie", content: "An *outer* join keeps all rows.", published: true },
  useful_links: {
    title: "The manual",
    url: "https://www.postgresql.org/docs/",
    description: "Everything about PostgreSQL.",
    category: "Databases",
  },
  code_samples: {
    title: "Count rows",
    description: "Counts the rows of a table.",
    language: "sql",
    code_content: "select count(*) from articles;",
  },
};

export interface ExampleRow extends Record<string, unknown> {
  title: string;
}

/** Returns a row of a kind without an id, ready to insert. `changes` replaces values. */
export function exampleRow(
  { table, ownerColumn }: Pick<KindDefinition, "table" | "ownerColumn">,
  ownerId: string,
  changes: Record<string, unknown> = {},
): ExampleRow {
  return { ...FIELDS[table as KindTable], [ownerColumn]: ownerId, ...changes };
}

/** Each kind with its name, for `test.each` and `describe.each`. */
export const EACH_KIND = KINDS.map((kind) => [kind.table, kind] as const);

/** The counts of items, by table, if there are none. */
export const NO_ITEMS: Record<string, number> = Object.fromEntries(KINDS.map(({ table }) => [table, 0]));
