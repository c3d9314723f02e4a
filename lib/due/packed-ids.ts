const ID_BYTES = 16;

/** Packs UUIDs into 16 bytes each. */
export const packIds = (ids: readonly string[]): Uint8Array =>
  Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex');

/** The UUIDs that {@link packIds} packed. */
export const unpackIds = (bytes: Uint8Array): string[] => {
  const hex = Buffer.from(bytes).toString('hex');
  return Array.from({ length: bytes.length / ID_BYTES }, (_, index) =>
    hex
      .slice(index * 2 * ID_BYTES, (index + 1) * 2 * ID_BYTES)
      .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  );
};

/** Whether a stored value has the form of packed UUIDs. */
export const isPackedIds = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array && value.length % ID_BYTES === 0;
