import type { PostgrestClient } from "@supabase/postgrest-js";
import type { DataClient } from "./client.ts";

/**
 * Queries a table by a name that is known only at run time, such as that of a kind of content. The compiler can't know
 * its rows, so `select<string, Row>` names them. For other tables, `client.from` has the types of the schema.
 * This isn't in `client.ts`, because that loads the PostgREST client, which visitors' pages don't need.
 */
export const tableNamed = (client: DataClient, table: string) => (client as PostgrestClient).from(table);
