import { PostgrestClient } from "@supabase/postgrest-js";

export interface Backend {
  url: string;
  key: string;
  /** Whether invitation links carry session tokens in the fragment, as hosted Supabase's do. */
  invitesWithTokens?: boolean;
  /** Whether it has `/auth/v1/verify/preview`, which returns the account of a mailed link. */
  previewsLinks?: boolean;
}

export type DataClient = PostgrestClient;

/** Returns failures as `error` instead of throwing. With `retry`, a failed read is repeated for up to 7 seconds. */
export function createDataClient(
  backend: Backend,
  fetch: typeof globalThis.fetch = globalThis.fetch,
  retry = true,
): DataClient {
  return new PostgrestClient(`${backend.url}/rest/v1`, {
    headers: { apikey: backend.key, Authorization: `Bearer ${backend.key}` },
    fetch,
    retry,
  });
}
