import { GoTrueClient, type Provider } from "@supabase/auth-js";
import type { BackendAddress } from "../../common/data/client.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";
import { SESSION_KEY } from "./storage.ts";

/** The storage key under which auth-js keeps the PKCE verifier of a password recovery, as JSON. */
export const VERIFIER_KEY = `${SESSION_KEY}-code-verifier`;
const LINK_KEY = "techfolio.link";
const PROVIDER_KEY = "techfolio.provider";

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

/**
 * Returns the page of an identity provider, or null if the sign-in can't start. Keeps its PKCE verifier in this tab, so that
 * two tabs can sign in at the same time. (A recovery link may be opened in another tab, so the browser keeps its verifier.)
 */
export async function providerPage(
  backend: BackendAddress,
  provider: Provider,
  redirectTo: string,
): Promise<string | null> {
  const kept = new Map<string, string>();
  const client = memoryClient(backend, PROVIDER_KEY, kept);
  const { data } = await client.signInWithOAuth({
    provider,
    options: { redirectTo, skipBrowserRedirect: true },
  });
  const verifier = kept.get(`${PROVIDER_KEY}-code-verifier`);
  if (verifier !== undefined) sessionStorage.setItem(VERIFIER_KEY, verifier);
  return data.url;
}

/** Call this once a sign-in at a provider has ended, and when the tab shows a page without its code. */
export function dropProviderVerifier(): void {
  try {
    sessionStorage.removeItem(VERIFIER_KEY);
  } catch {
    // Storage is unavailable, so it contains nothing.
  }
}

/** Returns the verifier of this tab's sign-in at a provider or, otherwise, of the browser's last password recovery. */
function storedVerifier(): string | null {
  try {
    return sessionStorage.getItem(VERIFIER_KEY) ?? localStorage.getItem(VERIFIER_KEY);
  } catch {
    return null;
  }
}

/** Creates a client that redeems a link without touching the stored session or the stored PKCE verifier. */
export function linkClient(backend: BackendAddress): GoTrueClient {
  const verifier = storedVerifier();
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
    const [verifier = "", purpose] = String(JSON.parse(storedVerifier() ?? "")).split("/");
    return { verifier, isRecovery: purpose === "recovery" };
  } catch {
    return { verifier: null, isRecovery: true };
  }
}
