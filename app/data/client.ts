import { PostgrestClient } from "@supabase/postgrest-js";

export interface Backend {
  url: string;
  key: string;
  /** Its invitations lead to a page with a whole session after the `#`, as hosted Supabase's do. */
  invitesWithTokens?: boolean;
  /** Has `/auth/v1/verify/preview`, which names the account of a mailed link. */
  previewsLinks?: boolean;
}

export type DataClient = PostgrestClient;

/** Failures come back as `error`, they are not thrown. With retries, a failed read is repeated for up to 7 seconds. */
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
