/** Safari has no `requestIdleCallback`. */
export const whenIdle: (run: () => void) => unknown = globalThis.requestIdleCallback ?? setTimeout;
