/** Returns the index that React Router keeps in the state of each history entry. */
export function historyIndex(): number | undefined {
  return (history.state as { idx?: number } | null)?.idx;
}
