import type { Page } from "@playwright/test";

/** Counts, in every document that is opened from now on, what a page must release. For `resourcesOf`. */
export async function watchResources(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const live = new Map<unknown, string>();
    Object.assign(window, { liveResources: live });
    watchListeners();
    watchIntervals();
    watchObservers();
    watchWorkers();
    watchRequests();

    function watchListeners() {
      const names = new Map<unknown, string>([
        [window, "window"],
        [document, "document"],
        [visualViewport, "visualViewport"],
      ]);
      const { addEventListener, removeEventListener } = EventTarget.prototype;
      // The browser identifies a listener by its type, its function and whether it captures.
      const keys = new Map<unknown, Map<string, object>>();
      const keyOf = (target: EventTarget, type: string, listener: object, options: unknown) => {
        const isCapturing =
          typeof options === "object" ? Boolean((options as AddEventListenerOptions)?.capture) : options;
        const ofListener = keys.get(listener) ?? new Map<string, object>();
        keys.set(listener, ofListener);
        const name = `${names.get(target)} ${type} ${Boolean(isCapturing)}`;
        const key = ofListener.get(name) ?? {};
        ofListener.set(name, key);
        return key;
      };
      EventTarget.prototype.addEventListener = function (type, listener, options) {
        addEventListener.call(this, type, listener, options);
        const target = names.get(this) ?? (this instanceof MediaQueryList ? "media query" : undefined);
        if (target === undefined || listener === null) return;
        const key = keyOf(this, type, listener, options);
        live.set(key, `${target}: ${type}`);
        if (typeof options !== "object") return;
        const forget = () => void live.delete(key);
        if (options.once) addEventListener.call(this, type, forget, { once: true });
        if (options.signal) addEventListener.call(options.signal, "abort", forget, { once: true });
      };
      EventTarget.prototype.removeEventListener = function (type, listener, options) {
        removeEventListener.call(this, type, listener, options);
        if (listener !== null) live.delete(keyOf(this, type, listener, options));
      };
    }

    function watchIntervals() {
      const { setInterval, clearInterval } = window;
      window.setInterval = ((handler: TimerHandler, ...rest: unknown[]) => {
        const id = setInterval(handler, ...(rest as [number]));
        live.set(`interval ${id}`, "interval");
        return id;
      }) as typeof window.setInterval;
      window.clearInterval = (id) => {
        clearInterval(id);
        live.delete(`interval ${id}`);
      };
    }

    function watchObservers() {
      for (const name of ["IntersectionObserver", "MutationObserver", "ResizeObserver"] as const) {
        type Method = (this: object, ...args: unknown[]) => void;
        const prototype = window[name].prototype as {
          observe: Method;
          disconnect: Method;
          unobserve?: Method;
        };
        const { observe, disconnect, unobserve } = prototype;
        const targets = new WeakMap<object, Set<unknown>>();
        prototype.observe = function (target, ...rest) {
          observe.call(this, target, ...rest);
          targets.set(this, (targets.get(this) ?? new Set()).add(target));
          live.set(this, name);
        };
        prototype.disconnect = function () {
          disconnect.call(this);
          targets.delete(this);
          live.delete(this);
        };
        if (unobserve === undefined) continue;
        prototype.unobserve = function (target) {
          unobserve.call(this, target);
          targets.get(this)?.delete(target);
          if (targets.get(this)?.size === 0) live.delete(this);
        };
      }
    }

    function watchWorkers() {
      const { Worker } = window;
      window.Worker = class extends Worker {
        constructor(...args: ConstructorParameters<typeof Worker>) {
          super(...args);
          live.set(this, "worker");
        }
        override terminate() {
          super.terminate();
          live.delete(this);
        }
      };
    }

    function watchRequests() {
      const { fetch } = window;
      window.fetch = (...args) => {
        const request = fetch(...args);
        live.set(request, "request");
        const forget = () => void live.delete(request);
        request.then(forget, forget);
        return request;
      };
    }
  });
}

/**
 * Returns how many listeners on global objects, intervals, observers, workers and requests the current document has, by
 * kind. Requires `watchResources`.
 */
export function resourcesOf(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => {
    const { liveResources } = window as unknown as { liveResources: Map<unknown, string> };
    const counts: Record<string, number> = {};
    for (const name of [...liveResources.values()].sort()) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  });
}
