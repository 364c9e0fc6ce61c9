/**
 * Takes milliseconds and work, returns what does the work at once, but not again within that time: what is asked for
 * meanwhile is done once at its end.
 */
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
