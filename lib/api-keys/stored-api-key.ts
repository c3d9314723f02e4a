import * as z from 'zod/mini';
import type { ApiKey } from './api-key.ts';

const wholeNumber = () => z.number().check(z.multipleOf(1), z.nonnegative());

/**
 * The item of an API key, which also holds the key's token bucket. Every read validates it: an item that was edited by
 * hand into an invalid state must admit nobody.
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
  /** When the last token was taken. The bucket's own write sets it. */
  lastUsedAtMs: z.optional(wholeNumber()),
  /** The bucket's theoretical arrival time; 0 in a new bucket. */
  tatMicros: wholeNumber(),
  /** Derived from the limits. It is stored because an update expression can add but not divide. */
  emissionIntervalMicros: wholeNumber().check(z.positive()),
}) satisfies z.ZodMiniType<ApiKey>;

/** A valid item of an API key. */
export type StoredApiKey = Readonly<z.output<typeof storedApiKeySchema>>;

/** Whether a key is neither revoked nor expired. */
export const isUsable = ({ revokedAtMs, expiresAtMs }: StoredApiKey, nowMs: number): boolean =>
  revokedAtMs === undefined && (expiresAtMs === undefined || expiresAtMs > nowMs);

/** Validates the item of an API key; `undefined` if it is invalid. */
export const readStoredApiKey = (item: unknown): StoredApiKey | undefined =>
  storedApiKeySchema.safeParse(item).data;

/**
 * Validates the item of an API key.
 *
 * @throws Error if the item is missing or invalid; its message does not contain the item
 */
export const toStoredApiKey = (item: Record<string, unknown> | undefined): StoredApiKey => {
  const key = readStoredApiKey(item);
  if (!key) throw new Error('The item of an API key in DynamoDB is invalid');
  return key;
};
