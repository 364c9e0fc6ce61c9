/** WebKit throws at the hundredth change of the address within 30 seconds: 40 and 50 are left for typing. */
const BURST = 40;
const REFILL_MS = 600;

/** Gives how long a change of the address has to wait (milliseconds); one that need not wait counts as made. */
export function createPace() {
  let due = 0;
  return (now: number): number => {
    const next = Math.max(due, now);
    const wait = next - (BURST - 1) * REFILL_MS - now;
    if (wait <= 0) due = next + REFILL_MS;
    return Math.max(0, wait);
  };
}
