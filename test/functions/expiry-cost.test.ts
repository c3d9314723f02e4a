import { describe, expect, it } from 'vitest';
import { createCartRepository } from '../../lib/carts/cart-repository.ts';
import { createErasureJob } from '../../lib/erasures/erasure-job.ts';
import { recordPaymentEvent } from '../../lib/payments/record-payment-event.ts';
import { runJob } from '../../lib/timers/run-job.ts';
import { manualClock } from '../support/clock.ts';
import { recordUnits } from '../support/database/consumed-units.ts';
import { givenDatabase } from '../support/database/database.ts';
import { unlessExempt } from '../support/database/exemptions.ts';
import { paymentRecordRepositoryOf } from '../support/domain/event-logs.ts';
import { runExpiries } from '../support/domain/expiries.ts';
import { payment, waitingCart } from '../support/domain/payments.ts';
import { NEVER } from '../support/signals.ts';

/** Live carts of one store that expire in the same minute, of which some are paid. The first event of the log is stored. */
const givenMinute = async ({ unpaid, paid }: { unpaid: number; paid: number }) => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const clock = manualClock();
  const carts = createCartRepository(documents, tableNames.carts, clock.now);
  const created = await Promise.all(Array.from({ length: unpaid + paid }, () => carts.create(waitingCart())));
  const paymentRecords = paymentRecordRepositoryOf(database, 'carts', clock.now);
  for (const { cart } of created.slice(unpaid)) {
    await recordPaymentEvent(
      { cartId: cart.id, mode: 'live', payment: payment() },
      { carts, paymentRecords },
    );
  }
  clock.advance(31 * 60);
  const units: Record<string, number> = {};
  recordUnits(documents, ({ operation, table, units: consumed }) => {
    const name = table === tableNames.events ? `${operation} of events` : operation;
    units[name] = (units[name] ?? 0) + consumed;
  });
  return { database, clock, units };
};

/** Half a read unit for each of the eight shards. */
const IDLE = unlessExempt('units of an empty page', 8 * 0.5);

// The figures of docs/cost.md.
describe('a run', () => {
  it('costs five write units and a read unit for each cart that is abandoned, besides its queries, and two and one for each transaction', async () => {
    const { database, clock, units } = await givenMinute({ unpaid: 60, paid: 1 });
    expect(await runExpiries(database, clock.now)).toMatchObject({ handled: 60, isComplete: true });
    const { BatchGetItem, TransactWriteItems, Query = Infinity, ...events } = units;
    // The counter, before each transaction.
    expect(Object.keys(events)).toStrictEqual(['GetItem of events']);
    const transactions = events['GetItem of events'] ?? 0;
    expect(transactions).toBeLessThanOrEqual(8);
    // The cart and the event, two each, and the timer that leaves the index. The counter, two.
    expect({ BatchGetItem, TransactWriteItems }).toStrictEqual({
      BatchGetItem: 60,
      TransactWriteItems: unlessExempt('units of a transaction', 5 * 60 + 2 * transactions),
    });
    // 60 keys fit in eight pages of at most 4 KB.
    expect(Query).toBeLessThanOrEqual(8 * 0.5);
  });

  it('costs nothing for carts that are paid by then, besides its queries', async () => {
    const { database, clock, units } = await givenMinute({ unpaid: 0, paid: 20 });
    expect(await runExpiries(database, clock.now)).toMatchObject({ handled: 0, isComplete: true });
    expect(units).toStrictEqual({ Query: IDLE });
    // Their erasures are not due.
    const { documents, tableNames } = database;
    const table = { documents, tableName: tableNames.carts, now: clock.now };
    await runJob(createErasureJob('live', table, 33), clock.now, NEVER);
    expect(units).toStrictEqual({ Query: unlessExempt('units of an empty page', 2 * 8 * 0.5) });
  });
});
