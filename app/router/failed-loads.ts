import { createContext as createReactContext, useContext, useSyncExternalStore } from "react";
import { createContext } from "react-router";

/**
 * The requests for pages' data that failed and are still wanted, by absolute URL. `page-load.ts` keeps such a request
 * pending, which keeps the page on the screen.
 */
export interface FailedLoads {
  get(): readonly string[];
  subscribe(listener: () => void): () => void;
  /** Resolves when React Router aborts the request: for another navigation, for a retry, or when the page unloads. */
  untilAborted(request: Request): Promise<void>;
}

const NONE: readonly string[] = [];

export function createFailedLoads(): FailedLoads {
  let urls = NONE;
  const listeners = new Set<() => void>();

  function set(next: readonly string[]): void {
    urls = next;
    for (const listener of listeners) listener();
  }

  return {
    get: () => urls,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async untilAborted({ url, signal }) {
      if (signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => resolve(), { once: true });
      set([...urls, url]);
      await promise;
      const index = urls.indexOf(url);
      set(urls.filter((_, other) => other !== index));
    },
  };
}

/** The same store for middleware (`failedLoadsContext`) and for components (`FailedLoadsContext`). */
export const failedLoadsContext = createContext<FailedLoads>();
export const FailedLoadsContext = createReactContext<FailedLoads | null>(null);

const subscribeToNothing = () => () => undefined;
const getNone = () => NONE;

export function useFailedLoads(): readonly string[] {
  const store = useContext(FailedLoadsContext);
  return useSyncExternalStore(store?.subscribe ?? subscribeToNothing, store?.get ?? getNone, getNone);
}

/** The absolute URL of a path on this site, as requests contain it. */
export const hrefOf = (path: string): string => new URL(path, location.origin).href;
