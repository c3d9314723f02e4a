import * as z from 'zod/mini';
import type { Item } from '../database/documents.ts';
import type { ApiKey } from './api-key.ts';

const wholeNumber = () => z.number().check(z.multipleOf(1), z.nonnegative());

/**
 * The item of an API key, with its token bucket. Every read validates it: an item that somebody edited by hand and made
 * invalid must admit nobody.
 */
const storedApiKeySchema = z.object({
  keyId: z.string(),
  storeId: z.string(),
  mode: z.enum(['test', 'live']),
  lang: z.optional(z.string()),
  label: z.optional(z.string()),
  limit: wholeNumber().check(z.positive()),
  windowSeconds: wholeNumber().check(z.positive()),
  createdAtMs: wholeNumber(),
  expiresAtMs: z.optional(wholeNumber()),
  revokedAtMs: z.optional(wholeNumber()),
  /** When the last token was taken. The write that takes it sets this too. */
  lastUsedAtMs: z.optional(wholeNumber()),
  /** The bucket's theoretical arrival time: 0 in a new bucket. */
  tatMicros: wholeNumber(),
  /** When the bucket was last full. The TAT is one interval later for each token taken since. */
  busySinceMs: z.optional(wholeNumber()),
  /** Derived from the limits. It is stored because an update expression can add but not divide. */
  emissionIntervalMicros: wholeNumber().check(z.positive()),
}) satisfies z.ZodMiniType<ApiKey>;

export type StoredApiKey = Readonly<z.output<typeof storedApiKeySchema>>;

/** Whether a key is neither revoked nor expired. */
export const isUsable = ({ revokedAtMs, expiresAtMs }: StoredApiKey, nowMs: number): boolean =>
  revokedAtMs === undefined && (expiresAtMs === undefined || expiresAtMs > nowMs);

/** Validates the item of an API key. Returns `undefined` if it is invalid. */
export const parseStoredApiKey = (item: unknown): StoredApiKey | undefined =>
  storedApiKeySchema.safeParse(item).data;

/** Validates the item of an API key. Throws an error without the item's content if it is missing or invalid. */
export const requireStoredApiKey = (item: Item | undefined): StoredApiKey => {
  const key = parseStoredApiKey(item);
  if (!key) throw new Error('The item of an API key in DynamoDB is invalid');
  return key;
};
