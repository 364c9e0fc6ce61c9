import { PostgrestClient } from "@supabase/postgrest-js";
import type { Database } from "./database-types.ts";

export interface BackendAddress {
  url: string;
  key: string;
  /** Whether invitation links carry session tokens in the fragment, as those of hosted Supabase do. */
  invitesWithTokens?: boolean;
  /** Whether the backend has `/auth/v1/verify/preview`, which returns the account that a mailed link is for. */
  previewsLinks?: boolean;
}

export type DataClient = PostgrestClient<Database>;

/**
 * Queries a table whose name is known only at run time, such as that of a kind of content. The compiler can't know its
 * rows, so `select<string, Row>` names them. For other tables, `client.from` has the types of the schema.
 */
export const tableNamed = (client: DataClient, table: string) => (client as PostgrestClient).from(table);

/**
 * Creates a client for the backend's tables. Its requests return failures as `error` instead of throwing. If
 * `retry` is true, it repeats a read up to three times after a network error or a response with status 503 or 520.
 */
export function createDataClient(
  backend: BackendAddress,
  fetch: typeof globalThis.fetch = globalThis.fetch,
  retry = true,
): DataClient {
  return new PostgrestClient<Database>(`${backend.url}/rest/v1`, {
    headers: { apikey: backend.key, Authorization: `Bearer ${backend.key}` },
    fetch,
    retry,
  });
}
