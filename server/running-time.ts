const STEPS = 10;

/**
 * Acts once this process has run for `ms`. A standstill counts as one tenth at most, and answers that arrived during it
 * are read first: a plain timer would overtake them. Gives what stops it.
 */
export function afterRunning(ms: number, act: () => void): () => void {
  let left = STEPS;
  let acting: NodeJS.Immediate | undefined;
  const steps = setInterval(() => {
    left--;
    if (left > 0) return;
    clearInterval(steps);
    acting = setImmediate(act);
  }, ms / STEPS);
  return () => {
    clearInterval(steps);
    clearImmediate(acting);
  };
}
