import type { PostgrestClient } from "@supabase/postgrest-js";
import type { DataClient } from "./client.ts";

/**
 * Queries a table whose name is known only at run time, such as that of a kind of content. The compiler can't know its
 * rows, so `select<string, Row>` names them. For other tables, `client.from` has the types of the schema.
 * In a module of its own, because `client.ts` loads the PostgREST client, which visitors' pages don't need.
 */
export const tableNamed = (client: DataClient, table: string) => (client as PostgrestClient).from(table);
