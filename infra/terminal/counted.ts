/**
 * A count with its noun, such as `1 cart` or `1,250 carts`.
 *
 * @param plural for a noun whose plural does not just add an s
 */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
