/** The index that React Router keeps in the state of each history entry. */
export function placeInHistory(): number | undefined {
  return (history.state as { idx?: number } | null)?.idx;
}
