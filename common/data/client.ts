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
