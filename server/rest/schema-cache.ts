import type { Database } from "../postgres/database.ts";
import { type DatabaseFunction, readFunctions } from "./functions.ts";
import { unknownTable } from "./rest-error.ts";
import { type ForeignKey, readTables, type Table } from "./tables.ts";

/** All that clients may name: nothing that is not in here ever becomes an identifier in SQL. */
export interface SchemaCache {
  tables: Map<string, Table>;
  foreignKeys: ForeignKey[];
  functions: Map<string, DatabaseFunction>;
}

export function readSchemaCache(database: Database): Promise<SchemaCache> {
  return database.transaction({ role: "anon" }, async (client) => {
    const { tables, foreignKeys } = await readTables(client);
    return { tables, foreignKeys, functions: await readFunctions(client) };
  });
}

export function findTable(schemaCache: SchemaCache, name: string): Table {
  const table = schemaCache.tables.get(name);
  if (table === undefined) throw unknownTable(name);
  return table;
}
