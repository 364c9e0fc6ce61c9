/** How many of several items an action has changed. */
export interface Outcome<Item> {
  done: Item[];
  failed: Item[];
}

/** Applies an action to each item, one after the other. A failure doesn't stop the rest. Never rejects. */
export async function applyToEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<Outcome<Item>> {
  const outcome: Outcome<Item> = { done: [], failed: [] };
  for (const item of items) {
    await act(item).then(
      () => outcome.done.push(item),
      () => outcome.failed.push(item),
    );
  }
  return outcome;
}

/** Returns a number of items in words, such as "1 item" or "3 items". */
export const itemCount = (count: number): string => `${count} ${count === 1 ? "item" : "items"}`;
