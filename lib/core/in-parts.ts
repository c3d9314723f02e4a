/** Splits items into parts of at most this size, in their order. */
export const inParts = <Item>(items: readonly Item[], sizeMax: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / sizeMax) }, (_, index) =>
    items.slice(index * sizeMax, (index + 1) * sizeMax),
  );
