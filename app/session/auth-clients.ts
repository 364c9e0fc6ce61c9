import { GoTrueClient } from "@supabase/auth-js";
import type { BackendAddress } from "../../common/data/client.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";
import { readStorage, SESSION_KEY } from "./storage.ts";

/** The storage key under which auth-js keeps the PKCE verifier of a password recovery or a sign-in, as JSON. */
export const VERIFIER_KEY = `${SESSION_KEY}-code-verifier`;
const LINK_KEY = "techfolio.link";

function options(backend: BackendAddress) {
  return {
    url: `${backend.url}/auth/v1`,
    headers: { apikey: backend.key, Authorization: `Bearer ${backend.key}` },
    flowType: "pkce" as const,
    persistSession: true,
    // Keeps auth-js from redeeming a link when the page loads. `offerLink` waits until the member presses a button.
    detectSessionInUrl: false,
    // keepalive lets a sign-out finish after the page is closed.
    fetch: ((input, init) => fetchWithTimeout(input, { ...init, keepalive: true })) satisfies typeof fetch,
  };
}

export function memberClient(backend: BackendAddress): GoTrueClient {
  return new GoTrueClient({ ...options(backend), storageKey: SESSION_KEY, autoRefreshToken: true });
}

/** Creates a client that keeps its session only in memory. `kept` is the memory's initial content, by storage key. */
export function memoryClient(backend: BackendAddress, storageKey: string, kept = new Map<string, string>()) {
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

/** Creates a client that redeems a link without touching the stored session or the stored PKCE verifier. */
export function linkClient(backend: BackendAddress): GoTrueClient {
  const verifier = readStorage(VERIFIER_KEY);
  return memoryClient(backend, LINK_KEY, new Map(verifier ? [[`${LINK_KEY}-code-verifier`, verifier]] : []));
}

interface Verifier {
  /** The PKCE verifier, or null if no code was requested in this browser. */
  verifier: string | null;
  /** False if the code was requested for a sign-in at a provider. */
  isRecovery: boolean;
}

/** Returns what links with a code need. */
export function readVerifier(): Verifier {
  try {
    // auth-js appends `/recovery` to the verifier of a password recovery.
    const [verifier = "", purpose] = String(JSON.parse(readStorage(VERIFIER_KEY) ?? "")).split("/");
    return { verifier, isRecovery: purpose === "recovery" };
  } catch {
    return { verifier: null, isRecovery: true };
  }
}
