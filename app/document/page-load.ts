import { useSyncExternalStore } from "react";
import { isRouteErrorResponse } from "react-router";
import { shownPath } from "./shown-path.ts";

type Retry = () => void;

let retry: Retry | null = null;
const listeners = new Set<() => void>();

function setRetry(next: Retry | null): void {
  retry = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns a function that retries the failed page load, or null if none has failed. */
export const useFailedPageLoad = () =>
  useSyncExternalStore<Retry | null>(
    subscribe,
    () => retry,
    () => null,
  );

/**
 * Runs a client loader. While the server is unreachable or responds with a 5xx status, the navigation stays pending,
 * which keeps the current page on the screen. The navigation ends when a retry succeeds or the reader opens another
 * page.
 */
export async function loadPage<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T> {
  while (true) {
    try {
      return await load();
    } catch (error) {
      if (signal.aborted || !isServerUnreachable(error)) throw error;
      await waitForRetry(signal);
    }
  }
}

/**
 * Loads a list's page. If that page is already on the screen, a failed load returns null instead of a list, which leaves
 * the screen unchanged (specification §8).
 */
export function loadListPage<Data extends { list: unknown }>(
  load: () => Promise<Data>,
  { url, request }: { url: URL; request: Request },
): Promise<Data | { list: null }> {
  if (url.pathname !== shownPath()) return loadPage(load, request.signal);
  return load().catch(() => ({ list: null }));
}

/** Redirects are thrown as responses, and missing pages as 404 errors. A retry would not change either. */
function isServerUnreachable(error: unknown): boolean {
  return isRouteErrorResponse(error) ? error.status >= 500 : !(error instanceof Response);
}

function waitForRetry(signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  setRetry(resolve);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  addEventListener("online", () => resolve(), { once: true, signal });
  return promise.finally(() => {
    signal.removeEventListener("abort", onAbort);
    // If another page load has failed meanwhile, keep its retry.
    if (retry === resolve) setRetry(null);
  });
}
