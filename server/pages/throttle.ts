/** Runs `work` at once, then at most once per interval; calls in between become one at the end of it. */
export function atMostEvery(milliseconds: number, work: () => void): () => void {
  let isResting = false;
  let isDue = false;
  function begin(): void {
    work();
    isResting = true;
    setTimeout(() => {
      isResting = false;
      if (!isDue) return;
      isDue = false;
      begin();
    }, milliseconds).unref();
  }
  return () => {
    if (isResting) isDue = true;
    else begin();
  };
}
