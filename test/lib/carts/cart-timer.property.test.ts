import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createAbandonmentRepository } from '../../../lib/carts/expiry/abandonment-repository.ts';
import { expireNow } from '../../../lib/carts/expiry/expire-now.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { createErasureJob } from '../../../lib/erasures/erasure-job.ts';
import { createErasureLedger } from '../../../lib/operators/erasures/erasure-ledger.ts';
import { recordAndEraseCarts } from '../../../lib/operators/erasures/record-and-erase-carts.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { runJob, type JobResult } from '../../../lib/timers/run-job.ts';
import type { TimerJob } from '../../../lib/timers/timer-job.ts';
import { timerOf, type TimerKind } from '../../../lib/timers/timer.ts';
import { manualClock } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { eventLogOf, eventsOf, paymentRecordRepositoryOf } from '../../support/domain/event-logs.ts';
import { expiryJobOf } from '../../support/domain/expiries.ts';
import { EXPIRES_AT_MS, payment, waitingCart } from '../../support/domain/payments.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { NEVER } from '../../support/signals.ts';

const DAYS = 30;

const database = await givenDatabase();
const { documents, tableNames } = database;
const tableName = tableNames.carts;

/** A cart, and the writers that change it. */
const givenCart = async () => {
  const clock = manualClock();
  const { now } = clock;
  const carts = createCartRepository(documents, tableName, now);
  const paymentRecords = paymentRecordRepositoryOf(database, 'carts', now);
  const abandonments = createAbandonmentRepository(tableName, eventLogOf(database, now));
  const ledger = createErasureLedger(documents, tableNames.erasures);
  const expiries = expiryJobOf(database, now);
  const erasures = createErasureJob('live', { documents, tableName, now }, DAYS);
  const { cart } = await carts.create(waitingCart({ storeId: randomUUID() }));
  /** Runs a job for the shard of the cart. */
  const run = (job: TimerJob, kind: TimerKind): Promise<JobResult> =>
    runJob({ ...job, shards: [timerOf(kind, cart.id, 0).timer] }, now, NEVER);
  const found = (): Promise<Cart | undefined> => carts.find(cart.id);
  const stored = async () =>
    (await documents.send(new GetCommand({ TableName: tableName, Key: { id: cart.id } }))).Item as Cart & {
      readonly timer?: string;
      readonly timerAtMs?: number;
    };
  return {
    cart,
    clock,
    stored,
    typesOf: async () => (await eventsOf(database, cart)).map(({ type }) => type),

    pay: (paymentId: string, result: 'succeeded' | 'failed', agoMs: number) =>
      recordPaymentEvent(
        {
          cartId: cart.id,
          mode: 'live',
          payment: payment({ paymentId: `${cart.id} ${paymentId}`, result, occurredAtMs: now() - agoMs }),
        },
        { carts, paymentRecords },
      ),
    expireNow: async () => {
      const current = await found();
      return current && expireNow(current, { carts, abandonments, now }, NEVER);
    },
    erase: async () => {
      const current = await found();
      return current && recordAndEraseCarts(documents, ledger, [{ tableName, cart: current }], now);
    },
    runExpiries: () => run(expiries, 'expiry'),
    runErasures: () => run(erasures, 'erasure'),
  };
};

type TestCart = Awaited<ReturnType<typeof givenCart>>;

/** The kind of timer and the time that the state of a stored cart demands, by the contract: `docs/contract.md`, "Statuses". */
const demandOf = (cart: Cart): readonly [kind: string, atMs: number] | undefined => {
  if (cart.status === 'waiting_payment' && !cart.abandonmentRecordedAtMs) return ['expiry', cart.expiresAtMs];
  if (cart.status === 'completed' && !cart.personalDataErasedAtMs) return ['erasure', cart.updatedAtMs];
  return undefined;
};

const storedTimer = ({ timer, timerAtMs }: Awaited<ReturnType<TestCart['stored']>>) =>
  timer === undefined ? undefined : [timer.split('#')[0], timerAtMs];

const anyAction = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('p1', 'p2'),
      fc.constantFrom('succeeded' as const, 'failed' as const),
      fc.constantFrom(0, 60_000, 20 * 60_000),
    )
    .map((args) => ({ name: `pay ${args.join(' ')}`, act: ({ pay }: TestCart) => pay(...args) })),
  fc.constantFrom<{ name: string; act: (cart: TestCart) => Promise<unknown> }>(
    { name: 'expire now', act: (cart) => cart.expireNow() },
    { name: 'erase', act: ({ erase }) => erase() },
    { name: 'run expiries', act: (cart) => cart.runExpiries() },
    { name: 'run erasures', act: (cart) => cart.runErasures() },
  ),
);

/** Actions at the same time, after some time. */
const anyStep = fc.record({
  afterSeconds: fc.constantFrom(0, 1, 20 * 60, 40 * 60, DAYS * 86_400),
  actions: fc.array(anyAction, { minLength: 1, maxLength: 3 }),
});

it('a cart has the timer that its state demands after any changes, also at the same time, and none at its end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 6 }), async (steps) => {
      const test = await givenCart();
      let hasRaced = false;
      await logged(async () => {
        for (const { afterSeconds, actions } of steps) {
          test.clock.advance(afterSeconds);
          await Promise.all(actions.map(({ act }) => act(test)));
          hasRaced ||= actions.length > 1;
          const cart = await test.stored();
          const isErased = cart.status === 'completed' && cart.personalDataErasedAtMs !== undefined;
          const demanded = [keptDemand(cart, test)];
          // A payment that completes a cart during its erasure leaves a timer. A run ends it when it is due.
          if (hasRaced && isErased) demanded.push(['erasure', cart.updatedAtMs]);
          expect(demanded).toContainEqual(storedTimer(cart));
        }
        await expectEnd(test);
      });
    }),
    { numRuns: 25 },
  );
});

/** The demand of a cart that is not past its deletion time. From then on, a run may end its timer, or TTL may delete it. */
const keptDemand = (cart: Awaited<ReturnType<TestCart['stored']>>, { clock }: TestCart) => {
  const isKept = cart.deleteAtSeconds === undefined || cart.deleteAtSeconds * 1_000 > clock.now();
  return isKept ? demandOf(cart) : storedTimer(cart);
};

/** At its expiry, a waiting cart is abandoned. After the retention, a completed one is erased. Then, no timer is left. */
const expectEnd = async ({ clock, stored, typesOf, ...cart }: TestCart): Promise<void> => {
  clock.advance(Math.max(0, (EXPIRES_AT_MS - clock.now()) / 1_000));
  const wasKept = ((await stored()).deleteAtSeconds ?? Infinity) * 1_000 > clock.now();
  await cart.runExpiries();
  const { status, abandonmentRecordedAtMs } = await stored();
  const abandoned = (await typesOf()).filter((type) => type === 'cart.abandoned');
  expect(abandoned).toHaveLength(abandonmentRecordedAtMs === undefined ? 0 : 1);
  if (status === 'waiting_payment' && wasKept) expect(abandoned).toHaveLength(1);

  clock.advance((DAYS * DAY_MS + 20 * 60_000) / 1_000);
  await cart.runErasures();
  const end = await stored();
  if (end.status === 'completed') expect(end.customerInfo).toStrictEqual({});
  expect(storedTimer(end)).toBeUndefined();
};
