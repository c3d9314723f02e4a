/** Metadata of a number of bytes as JSON: 49 values of control characters, which have 6 bytes each, and a shorter one. */
export const metaOfBytes = (bytes: number): Readonly<Record<string, string>> => {
  const value = '\u0000'.repeat(433);
  const meta = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`key-${index}`, value]));
  const rest = bytes - JSON.stringify({ ...meta, last: '' }).length;
  return { ...meta, last: 'x'.repeat(rest) };
};
