import { useSyncExternalStore } from "react";
import { isRouteErrorResponse } from "react-router";

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

/** Null unless the page that the reader requested could not be loaded. */
export const useFailedPageLoad = () =>
  useSyncExternalStore<Retry | null>(
    subscribe,
    () => retry,
    () => null,
  );

/**
 * For client loaders. While the server can't be reached the navigation stays pending, which keeps the current page on
 * the screen, until a retry succeeds or the reader goes elsewhere.
 */
export async function loadPage<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T> {
  while (true) {
    try {
      return await load();
    } catch (error) {
      if (signal.aborted || !isServerUnreachable(error)) throw error;
      await nextTry(signal);
    }
  }
}

/** React Router throws redirects as responses, and missing pages as 404. */
function isServerUnreachable(error: unknown): boolean {
  return isRouteErrorResponse(error) ? error.status >= 500 : !(error instanceof Response);
}

function nextTry(signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  setRetry(resolve);
  const leave = () => reject(signal.reason);
  signal.addEventListener("abort", leave);
  addEventListener("online", () => resolve(), { once: true, signal });
  return promise.finally(() => {
    signal.removeEventListener("abort", leave);
    // The reader may already be waiting for another page.
    if (retry === resolve) setRetry(null);
  });
}
