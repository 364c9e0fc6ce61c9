import { GoTrueClient } from "@supabase/auth-js";
import type { Backend } from "../data/client.ts";
import { fetchInTime } from "../data/fetch-in-time.ts";
import { SESSION_KEY, stored } from "./storage.ts";

/** Where auth-js stores a recovery's PKCE verifier as JSON. */
export const VERIFIER_KEY = `${SESSION_KEY}-code-verifier`;
const LINK_KEY = "techfolio.link";

function options(backend: Backend) {
  return {
    url: `${backend.url}/auth/v1`,
    headers: { apikey: backend.key, Authorization: `Bearer ${backend.key}` },
    flowType: "pkce" as const,
    persistSession: true,
    // A link is redeemed only when the member presses a button (redeem-link.ts).
    detectSessionInUrl: false,
    // keepalive lets a sign-out finish after the page is closed.
    fetch: ((input, init) => fetchInTime(input, { ...init, keepalive: true })) satisfies typeof fetch,
  };
}

export function memberClient(backend: Backend): GoTrueClient {
  return new GoTrueClient({ ...options(backend), storageKey: SESSION_KEY, autoRefreshToken: true });
}

/** Holds a session in memory only. */
export function memoryClient(backend: Backend, storageKey: string, kept = new Map<string, string>()) {
  return new GoTrueClient({
    ...options(backend),
    storageKey,
    autoRefreshToken: false,
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  });
}

/** Redeems a link without touching the member's session. auth-js deletes its copy of the verifier, not this browser's. */
export function linkClient(backend: Backend): GoTrueClient {
  const verifier = stored(VERIFIER_KEY);
  return memoryClient(backend, LINK_KEY, new Map(verifier ? [[`${LINK_KEY}-code-verifier`, verifier]] : []));
}

/** Null if no recovery was requested in this browser. */
export function readVerifier(): string | null {
  try {
    // auth-js appends `/PASSWORD_RECOVERY`.
    return String(JSON.parse(stored(VERIFIER_KEY) ?? "")).split("/")[0] ?? null;
  } catch {
    return null;
  }
}
