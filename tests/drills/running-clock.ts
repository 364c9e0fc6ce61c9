const TICK_MS = 20;
const LONGEST_TICK_MS = 250;

let ran = 0;
let seen = performance.now();
setInterval(now, TICK_MS).unref();

/** Milliseconds that this process has run: how long the machine stood still is no figure of the site on it. */
export function now(): number {
  const at = performance.now();
  ran += Math.min(at - seen, LONGEST_TICK_MS);
  seen = at;
  return ran;
}
