import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local/local-database.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { createErasureWork } from '../../../../lib/erasures/erasure-work.ts';
import { createExpiryWork } from '../../../../lib/carts/expiry-work.ts';
import type { CartTable } from '../../../../lib/carts/find-carts.ts';
import { createPaymentRepository } from '../../../../lib/payments/payment-repository.ts';
import { recordPayment } from '../../../../lib/payments/record-payment.ts';
import { DAY_MS } from '../../../../lib/core/durations.ts';
import { scanPages } from '../../../../lib/core/dynamodb-pages.ts';
import { inParallel } from '../../../../lib/core/in-parallel.ts';
import { createDocumentClient } from '../../../../lib/aws.ts';
import type { Documents } from '../../../../lib/core/documents.ts';
import { createEventLog } from '../../../../lib/events/event-log.ts';
import { runTimers, type TimerWork } from '../../../../lib/timers/run-timers.ts';
import { aroundCalls } from '../../../support/documents.ts';
import { EXPIRES_AT_MS, payment, waitingCart } from '../../../support/payments.ts';
import type { Random } from '../load/random.ts';
import { startBenchDatabase } from '../../bench/support/database.ts';
import { type BrokenRule, listBroken } from '../history.ts';
import { storeCarts, storedCarts } from './stored.ts';

const STORES = 20;
const PERSONAL_DATA_DAYS = 33;

/** Each of so many carts is paid while runs record that the others are abandoned. */
const PAID_OF = 10;

const WRITES_AT_ONCE = 20;

/** A process that is killed makes fewer calls than this. */
const CALLS_MAX = 200;

/** A run of the function may take this long. */
const RUN_MAX_MS = 47_000;

/** Of test mode, because runs print the metrics of live mode. */
const { testCarts: tableName, events: eventsTable } = LOCAL_TABLE_NAMES;

const tableOf = (documents: Documents, nowMs: number): CartTable => ({
  documents,
  tableName,
  now: () => nowMs,
});

/** The expiries of a process. */
const expiriesAt =
  (nowMs: number) =>
  (documents: Documents): TimerWork => {
    const log = createEventLog(documents, eventsTable, { now: () => nowMs });
    return createExpiryWork('test', tableOf(documents, nowMs), log);
  };

/** The erasures of a process. */
const erasuresAt =
  (nowMs: number) =>
  (documents: Documents): TimerWork =>
    createErasureWork('test', tableOf(documents, nowMs), PERSONAL_DATA_DAYS);

/** Runs a work in a process of its own. It is killed after so many calls. */
const runIn = async (
  endpoint: string,
  nowMs: number,
  workOf: (documents: Documents) => TimerWork,
  callsMax: number,
) => {
  const documents = createDocumentClient(localClientConfig(endpoint));
  let calls = 0;
  aroundCalls(documents, (call, next) => {
    calls += 1;
    if (calls <= callsMax) return next(call.input);
    throw Object.assign(new Error('The process was killed'), { name: 'TimeoutError' });
  });
  try {
    return await runTimers(workOf(documents), () => nowMs, AbortSignal.timeout(RUN_MAX_MS));
  } finally {
    documents.destroy();
  }
};

interface Runs {
  readonly count: number;
  readonly seconds: number;
}

/** Two runs at once, of which one may be killed, until a run finds nothing more to do. */
const runAll = async (
  endpoint: string,
  nowMs: number,
  workOf: (documents: Documents) => TimerWork,
  random: Random,
): Promise<Runs> => {
  const startMs = performance.now();
  for (let count = 1; ; count += 1) {
    const callsMax = random.next() < 0.5 ? Math.floor(random.next() * CALLS_MAX) : Infinity;
    const [run] = await Promise.all([
      runIn(endpoint, nowMs, workOf, Infinity),
      runIn(endpoint, nowMs, workOf, callsMax),
    ]);
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    if (run.isComplete && run.handled === 0 && run.failed === 0) return { count, seconds };
  }
};

/** Carts that expire within one minute. */
const newCarts = (count: number): readonly Cart[] =>
  Array.from({ length: count }, (_, index) =>
    waitingCart({
      storeId: `store-${index % STORES}`,
      mode: 'test',
      expiresAtMs: EXPIRES_AT_MS + Math.floor((index * 60_000) / count),
    }),
  );

/** Records a payment of each cart. Half of them are late. */
const payAll = async (documents: Documents, carts: readonly Cart[], nowMs: number): Promise<void> => {
  const now = () => nowMs;
  const log = createEventLog(documents, eventsTable, { now });
  const repositories = {
    carts: createCartRepository(documents, tableName, now),
    payments: createPaymentRepository(documents, tableName, { log, now }),
  };
  const paid = carts.map(({ id, expiresAtMs }, index) => {
    const occurredAtMs = expiresAtMs + (index % 2 === 0 ? -1_000 : 1_000);
    return { cartId: id, mode: 'test', payment: payment({ occurredAtMs }) } as const;
  });
  await inParallel(paid, WRITES_AT_ONCE, async (event) => {
    await recordPayment(event, repositories, AbortSignal.timeout(60_000));
  });
};

/** The types of the events of each cart. */
const readTypes = async (documents: Documents): Promise<(cart: Cart) => string> => {
  const types = new Map<string, string[]>();
  for await (const { Items = [] } of scanPages(documents, { TableName: eventsTable })) {
    for (const { cartId, type } of Items) {
      types.set(String(cartId), [...(types.get(String(cartId)) ?? []), String(type)]);
    }
  }
  return ({ id }) => (types.get(id) ?? []).toSorted().join(' ');
};

const expectedTypes = ({ status, abandonmentRecordedAtMs }: Cart): string => {
  if (status !== 'completed') return 'cart.abandoned';
  return abandonmentRecordedAtMs === undefined ? 'cart.completed' : 'cart.abandoned cart.completed';
};

const expiryIssues = async (documents: Documents): Promise<BrokenRule[]> => {
  const [carts, typesOf] = [await storedCarts(documents), await readTypes(documents)];
  return [
    ...listBroken(
      'an expired cart is abandoned once, and a paid one completed once',
      carts,
      (cart) => typesOf(cart) !== expectedTypes(cart) && `cart ${cart.id} has the events ${typesOf(cart)}`,
    ),
    ...listBroken('after its expiry, a cart waits only for its erasure', carts, ({ id, status, timer }) => {
      const kind = status === 'completed' ? 'erasure' : undefined;
      return timer?.split('#')[0] !== kind && `cart ${id} has the timer ${timer}`;
    }),
  ];
};

const erasureIssues = async (documents: Documents): Promise<BrokenRule[]> =>
  listBroken(
    'after the retention, a completed cart is erased, and no cart has a timer',
    await storedCarts(documents),
    ({ id, status, timer, personalDataErasedAtMs }) =>
      (timer !== undefined || (status === 'completed') !== (personalDataErasedAtMs !== undefined)) &&
      `cart ${id}`,
  );

/** Lets many carts expire in one minute, and erases those that are paid, by two runs at once that may be killed. */
export const checkTimers = async (
  cleanUp: AsyncDisposableStack,
  random: Random,
  count: number,
  print: (line: string) => void,
): Promise<BrokenRule[]> => {
  const { endpoint, documents, close } = await startBenchDatabase();
  cleanUp.defer(close);
  const carts = newCarts(count);
  await storeCarts(documents, carts);
  const paid = carts.filter((_, index) => index % PAID_OF === 0);
  const expiredAtMs = EXPIRES_AT_MS + 2 * 60_000;
  const [expiries] = await Promise.all([
    runAll(endpoint, expiredAtMs, expiriesAt(expiredAtMs), random),
    payAll(documents, paid, expiredAtMs),
  ]);
  // A cart whose payment was in flight at the end of the last run is due again.
  await runAll(endpoint, expiredAtMs, expiriesAt(expiredAtMs), random);
  const broken = await expiryIssues(documents);
  print(`timers: ${count} carts expired in a minute: ${expiries.count} pairs of runs, ${expiries.seconds} s`);

  const erasedAtMs = expiredAtMs + (PERSONAL_DATA_DAYS + 1) * DAY_MS;
  const erasures = await runAll(endpoint, erasedAtMs, erasuresAt(erasedAtMs), random);
  print(`timers: ${paid.length} paid carts erased: ${erasures.count} pairs of runs, ${erasures.seconds} s`);
  return [...broken, ...(await erasureIssues(documents))];
};
