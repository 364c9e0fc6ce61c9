/** Runs a function when the browser is idle or, in Safari, which has no `requestIdleCallback`, in the next task. */
export const whenIdle: (run: () => void) => unknown = globalThis.requestIdleCallback ?? setTimeout;
