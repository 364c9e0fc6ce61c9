/** How long to wait before each attempt. The server needs at most 30 s of CPU time for a text, after those before it. */
const DELAYS_MS = [1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000];

/** Reads the page again a few times, but only while it is visible. Ends when `signal` is aborted. */
export async function readUntilFormatted(reload: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (const delay of DELAYS_MS) {
    await waitFor(delay, signal);
    if (document.visibilityState === "hidden") await shownAgain(signal);
    if (signal.aborted) return;
    await reload().catch(() => undefined);
  }
}

/** Resolves after the time in milliseconds, or when `signal` is aborted. */
function waitFor(delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delay);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function shownAgain(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", resolve, { once: true, signal });
    signal.addEventListener("abort", resolve);
    if (signal.aborted) resolve(undefined);
  });
}
