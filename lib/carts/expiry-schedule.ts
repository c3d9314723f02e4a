import { createHash } from 'node:crypto';
import type { DueSchedule } from '../due/due-entry.ts';
import { inParts } from '../core/in-parts.ts';
import { CLOCK_ERROR_MS } from '../core/true-clock.ts';
import type { Cart } from './cart.ts';

/** The part of a cart that the bookkeeping of expiries needs. */
export type ExpiringCart = Pick<Cart, 'id' | 'mode' | 'expiresAtMs'>;

/**
 * Carts that expire within this time share an entry, which is due when the last of them has expired. With a run each
 * minute, the service records an abandonment within 92 seconds of the expiry and the time of the run.
 */
const SLOT_MS = 30_000;

/** The most carts of an entry: 16 KB. A run that ends early repeats at most this many carts of an entry. */
const CARTS_PER_ENTRY = 1_000;

/** The same carts always have the same id, so that a repeated batch stores no second entry. */
const entryId = (mode: Cart['mode'], cartIds: readonly string[]): string =>
  `expiry#${mode}#${createHash('sha256').update(cartIds.join()).digest('hex').slice(0, 32)}`;

/**
 * Schedules the expiries of new carts. A cart in several batches is harmless: only one abandonment is recorded.
 *
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down. A repetition is harmless
 */
export const scheduleExpiries = async (carts: readonly ExpiringCart[], due: DueSchedule): Promise<void> => {
  const slots = Map.groupBy(carts, ({ mode, expiresAtMs }) => `${mode} ${Math.floor(expiresAtMs / SLOT_MS)}`);
  const entries = [...slots.values()].flatMap((slot) =>
    inParts(slot, CARTS_PER_ENTRY).map((part) => {
      const { mode } = part[0] as ExpiringCart;
      const cartIds = part.map(({ id }) => id);
      // A run looks at a cart once. Its clock may be ahead, and go back before it reads the cart. It would never look again at
      // a cart that has not expired by then.
      const dueAtMs = Math.max(...part.map(({ expiresAtMs }) => expiresAtMs)) + CLOCK_ERROR_MS;
      return { id: entryId(mode, cartIds), dueAtMs, entry: { kind: 'expiry', mode, cartIds } as const };
    }),
  );
  await due.put(entries);
};
