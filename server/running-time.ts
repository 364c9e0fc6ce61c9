const STEPS = 10;

/** Acts after `ms` of running: a standstill counts as a tenth, and answers that came during it are read first. */
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
