import { GoTrueClient } from "@supabase/auth-js";
import type { Backend } from "../data/client.ts";
import { fetchInTime } from "../data/fetch-in-time.ts";
import { SESSION_KEY } from "./storage.ts";

const VERIFIER = "-code-verifier";
const LINK_KEY = "techfolio.link";

function options(backend: Backend) {
  return {
    url: `${backend.url}/auth/v1`,
    headers: { apikey: backend.key, Authorization: `Bearer ${backend.key}` },
    flowType: "pkce" as const,
    persistSession: true,
    // Links are redeemed by redeem-link.ts, which asks before it exchanges a live session.
    detectSessionInUrl: false,
    // A page that is left still ends its session on the server.
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

/** With what a PKCE link needs that was asked for in this browser. */
export function linkClient(backend: Backend): GoTrueClient {
  return memoryClient(backend, LINK_KEY, new Map([[LINK_KEY + VERIFIER, readVerifier()]]));
}

/**
 * Runs the exchange of a code. auth-js asks nobody without a verifier and drops it at every try, but only the service tells
 * a dead link from one for another browser, and the link of a newer mail needs it.
 */
export async function keepingVerifier<T>(exchange: () => Promise<T>): Promise<T> {
  const verifier = readVerifier();
  const keep = () => localStorage.setItem(SESSION_KEY + VERIFIER, verifier);
  keep();
  return exchange().finally(keep);
}

function readVerifier(): string {
  return localStorage.getItem(SESSION_KEY + VERIFIER) ?? '"none"';
}
