/** How many of several items an action has changed. */
export interface Applied<Item> {
  done: Item[];
  failed: Item[];
}

/** Applies an action to each item, one after the other. A failure doesn't stop the rest. Never rejects. */
export async function applyToEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<Applied<Item>> {
  const applied: Applied<Item> = { done: [], failed: [] };
  for (const item of items) {
    await act(item).then(
      () => applied.done.push(item),
      () => applied.failed.push(item),
    );
  }
  return applied;
}

/** Returns a number of items in words, such as "1 item" or "3 items". */
export const itemCount = (count: number): string => `${count} ${count === 1 ? "item" : "items"}`;
