/** Items that wait by key. Keys take turns. */
export interface Turns<Item> {
  add(key: string, item: Item): void;

  /** Takes the next item whose key has a free place. The place is in use until {@link release}. */
  take(): Item | undefined;

  /** Frees a place of a key. */
  release(key: string): void;
}

/**
 * Creates the waiting items.
 *
 * @param placesPerKey how many items of a key can be in use at a time
 */
export const createTurns = <Item>(placesPerKey: number): Turns<Item> => {
  /** In the order of the keys' turns. */
  const waiting = new Map<string, Item[]>();
  const inUse = new Map<string, number>();
  const count = (key: string, change: 1 | -1): void => {
    const places = (inUse.get(key) ?? 0) + change;
    if (places > 0) inUse.set(key, places);
    else inUse.delete(key);
  };
  return {
    add(key, item) {
      const items = waiting.get(key);
      if (items) items.push(item);
      else waiting.set(key, [item]);
    },
    take() {
      for (const [key, items] of waiting) {
        if ((inUse.get(key) ?? 0) >= placesPerKey) continue;
        waiting.delete(key);
        const item = items.shift();
        if (items.length > 0) waiting.set(key, items);
        count(key, 1);
        return item;
      }
      return undefined;
    },
    release: (key) => count(key, -1),
  };
};
