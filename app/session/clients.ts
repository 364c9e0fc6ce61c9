import { GoTrueClient } from "@supabase/auth-js";
import type { Backend } from "../data/client.ts";
import { fetchInTime } from "./fetch-in-time.ts";
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
    fetch: fetchInTime,
  };
}

export function memberClient(backend: Backend): GoTrueClient {
  return new GoTrueClient({ ...options(backend), storageKey: SESSION_KEY, autoRefreshToken: true });
}

/** For a sign-in that is kept nowhere. */
export function checkingClient(backend: Backend): GoTrueClient {
  const nowhere = { storageKey: "techfolio.password-check", persistSession: false, autoRefreshToken: false };
  return new GoTrueClient({ ...options(backend), ...nowhere });
}

/** Holds a session in memory only. It takes over what a PKCE link needs that was asked for in this browser. */
export function linkClient(backend: Backend): GoTrueClient {
  const kept = new Map<string, string>();
  const verifier = localStorage.getItem(SESSION_KEY + VERIFIER);
  if (verifier !== null) kept.set(LINK_KEY + VERIFIER, verifier);
  localStorage.removeItem(SESSION_KEY + VERIFIER);
  return new GoTrueClient({
    ...options(backend),
    storageKey: LINK_KEY,
    autoRefreshToken: false,
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  });
}
