interface Entry<Item> {
  readonly atMs: number;
  readonly item: Item;
}

/** A binary heap of items by the times at which they are due. Each call takes a logarithmic number of steps. */
export class DueHeap<Item> {
  /** The parent of an entry is at half its index, and is not due later. The first entry has the index 1. */
  readonly #entries: (Entry<Item> | undefined)[] = [undefined];

  /** Adds an item. An earlier entry of the item stays. */
  push(item: Item, atMs: number): void {
    let index = this.#entries.length;
    for (; index > 1 && atMs < this.#atMs(index >> 1); index >>= 1) this.#move(index >> 1, index);
    this.#entries[index] = { atMs, item };
  }

  /** Removes and returns the earliest entry that is due. */
  popDue(nowMs: number): Entry<Item> | undefined {
    if (this.#atMs(1) > nowMs) return undefined;
    const first = this.#entries[1];
    const last = this.#entries.pop();
    const end = this.#entries.length;
    if (end === 1 || !last) return first;
    let index = 1;
    for (;;) {
      const left = 2 * index;
      const child = this.#atMs(left + 1) < this.#atMs(left) ? left + 1 : left;
      if (this.#atMs(child) >= last.atMs) break;
      this.#move(child, index);
      index = child;
    }
    this.#entries[index] = last;
    return first;
  }

  #atMs(index: number): number {
    return this.#entries[index]?.atMs ?? Infinity;
  }

  #move(from: number, to: number): void {
    this.#entries[to] = this.#entries[from];
  }
}
