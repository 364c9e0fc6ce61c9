/** Counted by React Router, which keeps it in the state of each entry. */
export function placeInHistory(): number | undefined {
  return (history.state as { idx?: number } | null)?.idx;
}
