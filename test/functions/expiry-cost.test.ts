import type { ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { limitsOf } from '../../infra/stack/function-limits.ts';
import { toItem } from '../../lib/carts/cart-item.ts';
import type { Cart } from '../../lib/carts/cart.ts';
import { createAbandonmentStores, recordAbandonments } from '../../lib/carts/record-abandonment.ts';
import { scheduleRecords } from '../../lib/carts/schedule-records.ts';
import { createDueStore } from '../../lib/due/due-store.ts';
import { runDue } from '../../lib/due/run-due.ts';
import { recordOf } from '../lib/events/events.ts';
import { manualClock } from '../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../support/database.ts';
import { waitingCart } from '../support/payments.ts';
import { PRICES } from '../tools/scale/model.ts';

/** The shards of a new on-demand table. Each has an invocation for each batching window. */
const SHARDS = 4;
const WINDOW_SECONDS = 60;

/** Seven of ten carts are abandoned, the others are paid. */
const isPaid = (index: number): boolean => index % 10 >= 7;

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
  if (command === 'TransactWriteCommand') return 'eventWrites';
  if (isOnEvents) return 'eventReads';
  return ['PutCommand', 'DeleteCommand'].includes(command) ? 'writes' : 'reads';
};

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Counts the units of all calls from now on. */
const countUnits = ({ documents, tableNames }: TestDatabase): Units => {
  const units: Units = { writes: 0, reads: 0, eventWrites: 0, eventReads: 0 };
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (call) => {
        const input = { ...call.input, ReturnConsumedCapacity: 'TOTAL' satisfies ReturnConsumedCapacity };
        const result = await next({ ...call, input });
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
        const { TableName } = call.input as { TableName?: string };
        const kind = kindOf(commandName.replace('Item', ''), TableName === tableNames.events);
        for (const each of [ConsumedCapacity].flat()) units[kind] += each?.CapacityUnits ?? Number.NaN;
        return result;
      },
    { step: 'initialize', name: 'units' },
  );
  return units;
};

const storeCarts = async ({ documents, tableNames }: TestDatabase, carts: readonly Cart[]): Promise<void> => {
  for (let start = 0; start < carts.length; start += 25) {
    const requests = carts.slice(start, start + 25).map((cart) => ({ PutRequest: { Item: toItem(cart) } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [tableNames.carts]: requests } }));
  }
};

/** The carts of a minute that begins within a slot of the bookkeeping, and ends within another one. */
const cartsOfMinute = (cartsPerSecond: number, firstExpiryMs: number): Cart[] =>
  Array.from({ length: cartsPerSecond * WINDOW_SECONDS }, (_, index) =>
    waitingCart({
      expiresAtMs: firstExpiryMs + (index * 1_000) / cartsPerSecond,
      ...(isPaid(index) && { status: 'completed' }),
    }),
  );

const givenBookkeeping = async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const clock = manualClock();
  const due = createDueStore(documents, tableNames.due, clock.now);
  const { carts: cartsTable, testCarts: testCartsTable, events: eventsTable } = tableNames;
  const stores = createAbandonmentStores(
    documents,
    { cartsTable, testCartsTable, eventsTable },
    { now: clock.now },
  );
  const schedule = scheduleRecords({ due, setAside: { put: () => Promise.reject(new Error()) }, now: clock.now });
  return {
    database,
    clock,
    schedule: (carts: readonly Cart[]) => schedule({ Records: carts.map((cart) => recordOf(toItem(cart), '1')) }),
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
const measure = async (cartsPerSecond: number): Promise<{ units: Units; abandoned: number }> => {
  const { database, clock, schedule, run } = await givenBookkeeping();
  await run();
  clock.advance(60);
  await run();
  const units = countUnits(database);
  clock.advance(60);
  await run();
  const idle = { ...units };

  const carts = cartsOfMinute(cartsPerSecond, clock.now() + 75_000);
  await storeCarts(database, carts);
  Object.assign(units, { writes: 0, reads: 0 });
  const shards = Map.groupBy(carts.keys(), (index) => index % SHARDS);
  await Promise.all([...shards.values()].map((indexes) => schedule(indexes.map((index) => carts[index] as Cart))));
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

const dollars = (writes: number, reads: number): number =>
  writes * PRICES.dynamodbMillionWrites + reads * PRICES.dynamodbMillionReads;

/** The dollars of Lambda for the invocations of a minute, times a million. */
const lambdaDollars = (): number => {
  const gigabyteMs = (name: 'schedule-expiries' | 'run-due', ms: number): number =>
    (limitsOf(name).memoryMb / 1_024) * ms;
  const totalMs = SHARDS * gigabyteMs('schedule-expiries', SCHEDULE_MS) + gigabyteMs('run-due', RUN_MS);
  return (SHARDS + 1) * PRICES.lambdaMillionRequests + totalMs * 1_000 * PRICES.lambdaGigabyteSecond;
};

// The figures of docs/cost.md.
it.each([
  [10, 0.3],
  [1, 1.2],
])(
  'the bookkeeping of a million carts at %i carts a second costs at most $%d',
  async (cartsPerSecond, dollarsMax) => {
    const { units, abandoned } = await measure(cartsPerSecond);
    const carts = cartsPerSecond * WINDOW_SECONDS;
    expect(abandoned).toBe(0.7 * carts);
    const { writes, reads, eventWrites, eventReads } = units;
    const bookkeeping = (dollars(writes, reads) + lambdaDollars()) / carts;
    const event = dollars(eventWrites, eventReads) / abandoned;
    console.log({ cartsPerSecond, units, lambda: lambdaDollars() / carts, bookkeeping, event });
    expect(bookkeeping).toBeLessThanOrEqual(dollarsMax);
  },
);
