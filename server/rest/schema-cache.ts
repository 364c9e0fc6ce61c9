import type { Database } from "../postgres/database.ts";
import { type DatabaseFunction, readFunctions } from "./functions.ts";
import { unknownTable } from "./rest-error.ts";
import { type ForeignKey, readTables, type Table } from "./tables.ts";

/** All that clients may name: nothing that is not in here ever becomes an identifier in SQL. */
export interface Catalogue {
  tables: Map<string, Table>;
  foreignKeys: ForeignKey[];
  functions: DatabaseFunction[];
}

/** Takes the database, returns what it shows to clients. Throws DatabaseUnavailableError. */
export function readCatalogue(database: Database): Promise<Catalogue> {
  return database.transaction({ role: "anon" }, async (client) => {
    const { tables, foreignKeys } = await readTables(client);
    return { tables, foreignKeys, functions: await readFunctions(client, tables) };
  });
}

/** Takes a table's name, returns the table. Throws RestError PGRST205. */
export function findTable(catalogue: Catalogue, name: string): Table {
  const table = catalogue.tables.get(name);
  if (table === undefined) throw unknownTable(name);
  return table;
}
