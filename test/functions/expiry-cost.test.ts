import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { paymentTablesOf } from '../../infra/payment-tables.ts';
import { limitsOf } from '../../infra/stack/function-limits.ts';
import { toItem } from '../../lib/carts/cart-item.ts';
import type { Cart } from '../../lib/carts/cart.ts';
import { createAbandonmentStores, recordAbandonments } from '../../lib/carts/record-abandonment.ts';
import { scheduleRecords } from '../../lib/carts/schedule-records.ts';
import { createDueStore } from '../../lib/due/due-store.ts';
import { runDue } from '../../lib/due/run-due.ts';
import { recordOf } from '../lib/events/events.ts';
import { manualClock } from '../support/clock.ts';
import { recordUnits } from '../support/consumed-units.ts';
import { givenDatabase, type TestDatabase } from '../support/database.ts';
import { unlessExempt } from '../support/exemptions.ts';
import { waitingCart } from '../support/payments.ts';
import { PRICES } from '../tools/scale/model.ts';

/** The shards of a new on-demand table. Each has an invocation for each batching window. */
const SHARDS = 4;
const WINDOW_SECONDS = 60;

/** Assumed durations of an invocation: CPU and round trips. */
const SCHEDULE_MS = 100;
const RUN_MS = 300;

/** The runs in which the carts of a minute expire. */
const RUNS = 4;

/** Units of DynamoDB. Those of events record an abandonment: the cart's mark and the event. All others are bookkeeping. */
interface Units {
  writes: number;
  reads: number;
  eventWrites: number;
  eventReads: number;
}

/** The kind of units that a command consumes. */
const kindOf = (command: string, isOnEvents: boolean): keyof Units => {
  if (command.startsWith('TransactWrite')) return 'eventWrites';
  if (isOnEvents) return 'eventReads';
  return /^(?:Put|Delete)/.test(command) ? 'writes' : 'reads';
};

interface Load {
  readonly cartsPerSecond: number;
  readonly abandonedOfTen: number;
}

/** Counts the units of all calls from now on. */
const countUnits = ({ documents, tableNames }: TestDatabase): Units => {
  const units: Units = { writes: 0, reads: 0, eventWrites: 0, eventReads: 0 };
  recordUnits(documents, ({ operation, table, units: consumed }) => {
    units[kindOf(operation, table === tableNames.events)] += consumed;
  });
  return units;
};

const storeCarts = async ({ documents, tableNames }: TestDatabase, carts: readonly Cart[]): Promise<void> => {
  const batches = Map.groupBy(carts.keys(), (index) => Math.floor(index / 25));
  await Promise.all(
    [...batches.values()].map((indexes) => {
      const requests = indexes.map((index) => ({ PutRequest: { Item: toItem(carts[index] as Cart) } }));
      return documents.send(new BatchWriteCommand({ RequestItems: { [tableNames.carts]: requests } }));
    }),
  );
};

/** The carts of a minute that begins within a slot of the bookkeeping, and ends within another one. */
const cartsOfMinute = ({ cartsPerSecond, abandonedOfTen }: Load, firstExpiryMs: number): Cart[] =>
  Array.from({ length: cartsPerSecond * WINDOW_SECONDS }, (_, index) =>
    waitingCart({
      expiresAtMs: firstExpiryMs + (index * 1_000) / cartsPerSecond,
      ...(index % 10 >= abandonedOfTen && { status: 'completed' }),
    }),
  );

const givenBookkeeping = async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const clock = manualClock();
  const due = createDueStore(documents, tableNames.due, clock.now);
  const stores = createAbandonmentStores(documents, paymentTablesOf(tableNames), { now: clock.now });
  const schedule = scheduleRecords({
    due,
    setAside: { put: () => Promise.reject(new Error()) },
    now: clock.now,
  });
  return {
    database,
    clock,
    schedule: (carts: readonly Cart[]) =>
      schedule({ Records: carts.map((cart) => recordOf(toItem(cart), '1')) }),
    run: () =>
      runDue({
        due,
        now: clock.now,
        recordAbandonments: (carts, signal) => recordAbandonments(carts, stores, signal),
        handleDelivery: () => Promise.resolve(),
      }),
  };
};

/** Measures the units of one minute of carts, with one run in this minute, and the abandoned carts. */
const measure = async (load: Load): Promise<{ units: Units; abandoned: number }> => {
  const { database, clock, schedule, run } = await givenBookkeeping();
  await run();
  clock.advance(60);
  await run();
  const units = countUnits(database);
  clock.advance(60);
  await run();
  const idle = { ...units };

  const carts = cartsOfMinute(load, clock.now() + 75_000);
  await storeCarts(database, carts);
  Object.assign(units, { writes: 0, reads: 0 });
  const shards = Map.groupBy(carts.keys(), (index) => index % SHARDS);
  await Promise.all(
    [...shards.values()].map((indexes) => schedule(indexes.map((index) => carts[index] as Cart))),
  );
  let abandoned = 0;
  for (let runs = 0; runs < RUNS; runs += 1) {
    clock.advance(60);
    abandoned += (await run()).abandoned.live;
  }
  const furtherRuns = RUNS - 1;
  units.writes -= furtherRuns * idle.writes;
  units.reads -= furtherRuns * idle.reads;
  return { units, abandoned };
};

/** The cost of Lambda for the invocations of a minute, in dollars times a million. */
const lambdaDollars = (): number => {
  const gigabyteMs = (name: 'schedule-expiries' | 'run-due', ms: number): number =>
    (limitsOf(name).memoryMb / 1_024) * ms;
  const totalMs = SHARDS * gigabyteMs('schedule-expiries', SCHEDULE_MS) + gigabyteMs('run-due', RUN_MS);
  return (SHARDS + 1) * PRICES.lambdaMillionRequests + totalMs * 1_000 * PRICES.lambdaGigabyteSecond;
};

/** Dollars per million, to the cent. */
const cents = (value: number): number => Math.round(value * 100) / 100;

// The figures of docs/cost.md. Those of completed carts schedule the erasure of their personal data. The bounds are $0.30 at 10 carts a second and $1.20 at one.
it.each([
  { cartsPerSecond: 10, abandonedOfTen: 1, writes: 0.04, reads: 0.13, lambda: 0.01, total: 0.18 },
  { cartsPerSecond: 1, abandonedOfTen: 7, writes: 0.29, reads: 0.14, lambda: 0.09, total: 0.52 },
])(
  'the bookkeeping of a million expiries costs $total dollars at $cartsPerSecond carts a second, with the erasures to come',
  async ({ cartsPerSecond, abandonedOfTen, ...expected }) => {
    const { units, abandoned } = await measure({ cartsPerSecond, abandonedOfTen });
    const carts = cartsPerSecond * WINDOW_SECONDS;
    expect(abandoned).toBe((abandonedOfTen / 10) * carts);
    const writes = (units.writes * PRICES.dynamodbMillionWrites) / carts;
    const reads = (units.reads * PRICES.dynamodbMillionReads) / carts;
    const lambda = lambdaDollars() / carts;
    expect({
      writes: cents(writes),
      reads: cents(reads),
      lambda: cents(lambda),
      total: cents(writes + reads + lambda),
    }).toStrictEqual(expected);
    // The mark on the cart and the event, in one transaction: only for carts that are abandoned. A new log takes two more.
    expect(units.eventWrites).toEqual(unlessExempt('units of a transaction', 4 * abandoned + 2));
    // The last event of the log, before each transaction.
    expect(units.eventReads / abandoned).toBeLessThan(0.25);
  },
);
