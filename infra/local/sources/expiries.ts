import { setTimeout as sleep } from 'node:timers/promises';
import { scanPages } from '../../../lib/core/dynamodb-pages.ts';
import type { Documents } from '../../../lib/core/documents.ts';
import { IS_NOT_ERASED } from '../../../lib/buyers/erased-cart.ts';
import { type CompletedCart, type ErasureSchedule, keptSince } from '../../../lib/buyers/erasure-schedule.ts';
import { type ExpiringCart, scheduleExpiries } from '../../../lib/carts/expiry-schedule.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { DueSchedule } from '../../../lib/due/due-entry.ts';

export interface ExpiryScanOptions {
  readonly documents: Documents;
  /** The tables of carts. */
  readonly tableNames: readonly string[];
  readonly due: DueSchedule;
  readonly erasures: Pick<ErasureSchedule, 'put'>;
  readonly personalDataDays: number;
  readonly now: Clock;
}

/** How often to scan: a new cart expires much later. */
export const SCAN_INTERVAL_MS = 15 * 60_000;

/** A scan schedules the carts that expire before the end of the next one, with a reserve. */
const SCAN_AHEAD_MS = 2 * SCAN_INTERVAL_MS;

/** A page takes about a millisecond of the database, so that requests hardly wait for a scan. */
const PAGE_SIZE = 50;
const PAUSE_MS = 20;

/**
 * Unpaid carts without a recorded abandonment that expire by a time. A payment that failed after the expiry changes no
 * status. TTL should have deleted earlier ones, but the embedded DynamoDB deletes nothing by TTL.
 */
const IS_UNPAID =
  '#status = :waiting AND attribute_not_exists(abandonmentRecordedAtMs) AND ' +
  'expiresAtMs < :by AND deleteAtSeconds > :now';

/** Completed carts whose personal data the stage has kept for long enough. */
const IS_KEPT_TOO_LONG = `#status = :completed AND ${IS_NOT_ERASED} AND updatedAtMs < :keptSince`;

const cartsToSchedule = (tableName: string, personalDataDays: number, nowMs: number) => ({
  TableName: tableName,
  Limit: PAGE_SIZE,
  FilterExpression: `(${IS_UNPAID}) OR (${IS_KEPT_TOO_LONG})`,
  ProjectionExpression: 'id, #mode, #status, expiresAtMs, updatedAtMs',
  ExpressionAttributeNames: { '#mode': 'mode', '#status': 'status' },
  ExpressionAttributeValues: {
    ':waiting': 'waiting_payment',
    ':by': nowMs + SCAN_AHEAD_MS,
    ':now': Math.floor(nowMs / 1_000),
    ':completed': 'completed',
    ':keptSince': keptSince(personalDataDays, nowMs),
  },
});

type ScannedCart = ExpiringCart & CompletedCart & Pick<Cart, 'status'>;

/**
 * Creates the function that schedules the stored carts that expire soon, or have expired, and the erasures that are due. The
 * streams of the tables do this in the cloud. A cart that is scheduled twice is harmless.
 */
export const createExpiryScan =
  ({ documents, tableNames, due, erasures, personalDataDays, now }: ExpiryScanOptions) =>
  async (signal: AbortSignal): Promise<void> => {
    const found: ScannedCart[] = [];
    for (const tableName of tableNames) {
      const scan = cartsToSchedule(tableName, personalDataDays, now());
      for await (const { Items = [] } of scanPages(documents, scan)) {
        if (signal.aborted) return;
        found.push(...(Items as ScannedCart[]));
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    const isCompleted = ({ status }: ScannedCart): boolean => status === 'completed';
    await scheduleExpiries(
      found.filter((cart) => !isCompleted(cart)),
      due,
    );
    await erasures.put(found.filter(isCompleted));
  };
