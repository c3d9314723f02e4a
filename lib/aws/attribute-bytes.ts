/** Replaces bytes by base64, as JSON has them. `JSON.stringify` calls it after `toJSON` of a `Buffer`. */
function encodeBytes(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const raw = this[key];
  if (!(raw instanceof Uint8Array)) return value;
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('base64');
}

/** Bytes that `JSON.stringify` wrote as an object. Few items have bytes, and `encodeBytes` takes most of the time. */
const BYTES_AS_OBJECT = /"BS?":[[{]/;

/** The JSON of a request. Bytes become base64. */
export const toJson = (input: unknown): string => {
  const text = JSON.stringify(input);
  return BYTES_AS_OBJECT.test(text) ? JSON.stringify(input, encodeBytes) : text;
};

const fromBase64 = (text: string): Uint8Array => {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
};

/**
 * Replaces the base64 of `B` and `BS` by bytes, in place, at any depth. Only an attribute value of DynamoDB has a string
 * there: the values of all maps are objects.
 */
const decodeBytes = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const field = fields[key];
    if (key === 'B' && typeof field === 'string') fields[key] = fromBase64(field);
    else if (key === 'BS' && Array.isArray(field) && field.every((member) => typeof member === 'string')) {
      fields[key] = field.map(fromBase64);
    } else decodeBytes(field);
  }
  return value;
};

/** Parses the JSON of a response. Base64 in attribute values becomes bytes. */
export const fromJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  return /"BS?"/.test(text) ? decodeBytes(value) : value;
};
