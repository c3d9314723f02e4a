import * as z from 'zod/mini';
import type { ApiKey } from './api-key.ts';

const wholeNumber = () => z.number().check(z.multipleOf(1), z.nonnegative());

/**
 * An API key as it is stored: one item that also carries the key's token bucket. It is checked when it is read, since
 * a key that somebody edited by hand into nonsense must admit nobody.
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
  /** When the last token was taken: written along with the bucket, so that it costs no write of its own. */
  lastUsedAtMs: z.optional(wholeNumber()),
  /** The bucket: its theoretical arrival time; 0 in a bucket that was never used. */
  tatMicros: wholeNumber(),
  /** Follows from the limits; stored because an update expression can add but not divide. */
  emissionIntervalMicros: wholeNumber().check(z.positive()),
}) satisfies z.ZodMiniType<ApiKey>;

/** See {@link storedApiKeySchema}. */
export type StoredApiKey = Readonly<z.output<typeof storedApiKeySchema>>;

/** Whether a key opens its store: it is neither revoked nor past its end. */
export const isUsable = ({ revokedAtMs, expiresAtMs }: StoredApiKey, nowMs: number): boolean =>
  revokedAtMs === undefined && (expiresAtMs === undefined || expiresAtMs > nowMs);

/** Reads an API key's item; `undefined` if the item is none. */
export const readStoredApiKey = (item: unknown): StoredApiKey | undefined =>
  storedApiKeySchema.safeParse(item).data;

/**
 * Reads an API key's item.
 *
 * @throws Error if the item is none; it does not repeat what the item is
 */
export const toStoredApiKey = (item: Record<string, unknown> | undefined): StoredApiKey => {
  const key = readStoredApiKey(item);
  if (!key) throw new Error('The item of an API key in DynamoDB is invalid');
  return key;
};
