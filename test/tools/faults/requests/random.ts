/** Random choices that a seed repeats. */
export interface Random {
  /** Returns a number from 0 to below 1, evenly distributed. */
  next(): number;
  chance(probability: number): boolean;
  /** Returns one of the items. `undefined` if there is none. */
  any<Item>(items: readonly Item[]): Item | undefined;
  /** Returns one of the items by their shares, which add up to 1. */
  byShare<Item extends { readonly share: number }>(items: readonly Item[]): Item;
}

/** Creates the generator mulberry32: small, and random enough to choose requests. */
export const createRandom = (seed: number): Random => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    any: (items) => items[Math.floor(next() * items.length)],
    byShare: (items) => {
      let left = next();
      return items.find(({ share }) => (left -= share) < 0) ?? items[0]!;
    },
  };
};
