import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { judge } from '../../../../infra/operate/restore/verdict.ts';
import { PERSONAL_DATA_DAYS } from '../../../../infra/stage/stage-config.ts';
import { actionsId } from '../../../../lib/carts/action-buckets.ts';
import { toCartItem } from '../../../../lib/carts/cart-item.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { DAY_MS } from '../../../../lib/core/durations.ts';
import { erasedCart } from '../../../../lib/erasures/erased-cart.ts';
import { createErasureJob } from '../../../../lib/erasures/erasure-job.ts';
import { createErasureLedger } from '../../../../lib/operators/erasures/erasure-ledger.ts';
import { recordAndEraseCarts } from '../../../../lib/operators/erasures/record-and-erase-carts.ts';
import { runJob, type JobResult } from '../../../../lib/timers/run-job.ts';
import { newConflict } from '../../../support/database/client-calls.ts';
import { eventsOf } from '../../../support/domain/event-logs.ts';
import { runExpiries } from '../../../support/domain/expiries.ts';
import { payment, refund, waitingCart } from '../../../support/domain/payments.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { interceptCalls } from '../../../support/operators/intercept-calls.ts';
import { givenRestores } from '../../../support/operators/restore.ts';
import { NEVER } from '../../../support/signals.ts';

const stage = await givenOperatedService();
const nowMs = stage.clock.now();
const tables = givenRestores(stage);

afterAll(stage.close);

/** A cart in the restored table. */
const givenThen = async (restored: string, changes: Partial<Cart> = {}): Promise<Cart> => {
  const cart = waitingCart({ expiresAtMs: nowMs + DAY_MS, deleteAtSeconds: nowMs, ...changes });
  await tables.put(restored, toCartItem(cart));
  return cart;
};

const completed = (changes: Partial<Cart> = {}): Partial<Cart> => ({
  status: 'completed',
  payments: [payment()],
  deleteAtSeconds: undefined,
  updatedAtMs: nowMs,
  completedAtMs: nowMs,
  ...changes,
});

/** A cart in the restored table and in the stage, which has changed it since. */
const givenChanged = async (restored: string, then: Partial<Cart>, now: Partial<Cart>): Promise<Cart> => {
  const cart = await givenThen(restored, then);
  const { cart: live } = await stage.carts.live.create({ ...cart, ...now });
  return live;
};

const ZERO = {
  same: 0,
  missing: 0,
  different: 0,
  unerased: 0,
  stays: 0,
  ended: 0,
  expired: 0,
  malformed: 0,
};

const WRITTEN = { copied: 0, erasedAgain: 0, overtaken: 0 };

test('a dry run counts, the copy brings back exactly what is missing, and a repetition changes nothing', async () => {
  const from = await tables.givenRestored();
  const waiting = await givenThen(from, { meta: { constructor: 'A', order: '1' } });
  const paid = await givenThen(from, completed());
  await tables.put(from, { id: 'payment#p-1', cartId: paid.id });
  const both = await givenChanged(from, {}, {});
  const changed = await givenChanged(from, {}, { productName: 'Changed' });
  const added = (await stage.carts.live.create(waitingCart())).cart;
  const base = { table: 'Carts', at: tables.at, from };
  const found = { ...ZERO, items: 5, same: 1, missing: 3, different: 1 };

  expect(await tables.restoreJson('--from', from, '--dry-run')).toStrictEqual({
    ...base,
    dryRun: true,
    ...found,
    ...WRITTEN,
  });
  expect(await stage.carts.live.find(waiting.id)).toBeUndefined();

  expect(await tables.restoreJson('--from', from)).toStrictEqual({
    ...base,
    ...found,
    ...WRITTEN,
    copied: 3,
  });
  const { deleteAtSeconds: _, ...paidNow } = paid;
  for (const cart of [waiting, both, changed, added]) {
    expect(await stage.carts.live.find(cart.id)).toStrictEqual(cart);
  }
  expect(await stage.carts.live.find(paid.id)).toStrictEqual(paidNow);
  expect(await tables.find(stage.tableNames.carts, { id: 'payment#p-1' })).toMatchObject({ cartId: paid.id });

  expect(await tables.restoreJson('--from', from)).toMatchObject({ same: 4, missing: 0, copied: 0 });
});

test('--all also replaces what differs, but no payment, refund, expiry or erasure since', async () => {
  const from = await tables.givenRestored();
  const corrupted = await givenChanged(from, completed(), { ...completed(), productName: 'Corrupted' });
  const given = refund({ paymentId: 'p-1' });
  const kept = [
    await givenChanged(from, {}, completed()),
    await givenChanged(from, completed(), completed({ payments: [payment(), payment()] })),
    await givenChanged(from, completed(), completed({ refunds: [given] })),
    await givenChanged(from, {}, { earlyRefunds: [given] }),
    // Its refund has taken effect since.
    await givenChanged(from, completed({ earlyRefunds: [given] }), completed({ refunds: [given] })),
    await givenChanged(from, completed(), {
      ...completed(),
      customerInfo: {},
      personalDataErasedAtMs: nowMs,
    }),
  ];
  // The payment belongs to another cart now.
  await tables.put(from, { id: 'payment#p-2', cartId: corrupted.id });
  await tables.put(stage.tableNames.carts, { id: 'payment#p-2', cartId: 'other' });
  const abandoned = await givenChanged(
    from,
    { productName: 'Then' },
    { productName: 'Now', abandonmentRecordedAtMs: nowMs, expiresAtMs: nowMs - 1 },
  );

  expect(await tables.restoreJson('--from', from, '--all')).toMatchObject({
    different: 2,
    stays: 7,
    copied: 2,
  });
  expect(await tables.find(stage.tableNames.carts, { id: 'payment#p-2' })).toMatchObject({ cartId: 'other' });
  expect(await stage.carts.live.find(corrupted.id)).toMatchObject({ productName: 'Course' });
  for (const { deleteAtSeconds: _, ...cart } of kept) {
    expect(await stage.carts.live.find(cart.id)).toMatchObject(cart);
  }
  expect(await stage.carts.live.find(abandoned.id)).toStrictEqual({ ...abandoned, productName: 'Then' });
  expect(await tables.restoreJson('--from', from, '--all')).toMatchObject({
    same: 2,
    different: 0,
    copied: 0,
  });
});

/** Does something right before the command's first write. */
const beforeFirstWrite = (act: () => Promise<unknown>): void => {
  let isDone = false;
  interceptCalls(async (command) => {
    if (isDone || !(command instanceof PutItemCommand)) return;
    isDone = true;
    await act();
  });
};

const PAYMENT = payment();
const PAID = { status: 'completed', payments: [PAYMENT] } as const;
const GIVEN = refund({ paymentId: PAYMENT.paymentId });

test.each<[string, Partial<Cart> | undefined, Partial<Cart>]>([
  ['a creation', undefined, PAID],
  ['a payment', {}, PAID],
  ['a refund', PAID, { ...PAID, refunds: [GIVEN] }],
  ['a refund before its payment', {}, { earlyRefunds: [GIVEN] }],
  ['an abandonment', {}, { abandonmentRecordedAtMs: nowMs }],
  ['an erasure', {}, { customerInfo: {}, personalDataErasedAtMs: nowMs }],
  ['a payment of a refunded cart', { earlyRefunds: [GIVEN] }, { ...PAID, refunds: [GIVEN] }],
])('%s at the same time wins over the copy', async (_what, before, after) => {
  const from = await tables.givenRestored();
  const cart = await givenThen(from, before);
  if (before) await stage.carts.live.create({ ...cart, ...before, productName: 'Other' });
  const other = { ...cart, ...after };
  const flags = before ? ['--all'] : [];
  beforeFirstWrite(() => tables.put(stage.tableNames.carts, toCartItem(other)));

  expect(await tables.restoreJson('--from', from, ...flags)).toMatchObject({ copied: 0, overtaken: 1 });
  expect(await stage.carts.live.find(cart.id)).toStrictEqual(other);
});

test('a copy beside the transaction of a payment is overtaken, and a repetition of the restore copies it', async () => {
  const from = await tables.givenRestored();
  const cart = await givenThen(from);
  beforeFirstWrite(() => Promise.reject(newConflict()));

  expect(await tables.restoreJson('--from', from)).toMatchObject({ copied: 0, overtaken: 1 });
  expect(await stage.carts.live.find(cart.id)).toBeUndefined();
  expect(await tables.restoreJson('--from', from)).toMatchObject({ copied: 1, overtaken: 0 });
  expect(await stage.carts.live.find(cart.id)).toMatchObject({ id: cart.id });
});

/** A run of erasures over the stage's live carts, after some days. */
const runErasures = (days: number): Promise<JobResult> => {
  const { documents, tableNames } = stage;
  const now = () => nowMs + days * DAY_MS;
  const table = { documents, tableName: tableNames.carts, now };
  return runJob(createErasureJob('live', table, PERSONAL_DATA_DAYS), now, NEVER);
};

test('erasures are applied again: those of the ledger at once, those by age by the next run that is due', async () => {
  const from = await tables.givenRestored();
  const { documents, tableNames, clock } = stage;
  const requested = await givenChanged(from, completed(), {});
  const ledger = createErasureLedger(documents, tableNames.erasures);
  await recordAndEraseCarts(documents, ledger, [{ tableName: tableNames.carts, cart: requested }], clock.now);
  await documents.send(
    new DeleteItemCommand({ TableName: tableNames.carts, Key: { id: { S: requested.id } } }),
  );
  const old = await givenThen(from, completed({ completedAtMs: nowMs - (PERSONAL_DATA_DAYS + 1) * DAY_MS }));
  const young = await givenThen(from, completed());
  const isErased = async ({ id }: Cart): Promise<boolean> =>
    (await stage.carts.live.find(id))?.personalDataErasedAtMs !== undefined;
  const erased = async () => [await isErased(requested), await isErased(old), await isErased(young)];

  expect(await tables.restoreJson('--from', from)).toMatchObject({ missing: 3, copied: 3, erasedAgain: 1 });
  expect(await erased()).toStrictEqual([true, false, false]);
  expect(await stage.carts.live.find(requested.id)).toMatchObject({
    payments: requested.payments,
    customerInfo: {},
    meta: {},
  });
  await runErasures(0);
  expect(await erased()).toStrictEqual([true, true, false]);
  await runErasures(PERSONAL_DATA_DAYS);
  expect(await erased()).toStrictEqual([true, true, true]);
});

test('a copy has the timer of its state, also if a run has postponed the one that was stored', async () => {
  const from = await tables.givenRestored();
  const cart = await givenThen(from, completed({ completedAtMs: nowMs - 5 }));
  await tables.put(from, { ...toCartItem(cart), timerAtMs: nowMs + 15 * 60_000 });

  expect(await tables.restoreJson('--from', from)).toMatchObject({ copied: 1 });
  const { timer, timerAtMs } = toCartItem(cart);
  expect(await tables.find(stage.tableNames.carts, { id: cart.id })).toMatchObject({ timer, timerAtMs });
  expect(timerAtMs).toBe(nowMs - 5);
});

test('a cart of the live table whose erased data came back is erased again, also if the restored table has the same', async () => {
  const from = await tables.givenRestored();
  const same = await givenChanged(from, completed(), {});
  const changed = await givenChanged(from, completed(), { ...completed(), productName: 'Now' });
  const erasures = [same, changed].map(
    ({ id }) => ({ cartId: id, mode: 'live', erasedAtMs: nowMs }) as const,
  );
  await createErasureLedger(stage.documents, stage.tableNames.erasures).add(erasures);

  const again = { unerased: 2, same: 0, different: 0 };
  expect(await tables.restoreJson('--from', from, '--dry-run')).toMatchObject({ ...again, copied: 0 });
  expect(await tables.restoreJson('--from', from)).toMatchObject({ ...again, copied: 2, erasedAgain: 2 });
  for (const cart of [same, changed]) {
    const { deleteAtSeconds: _, ...erased } = erasedCart(cart, nowMs);
    expect(await stage.carts.live.find(cart.id)).toStrictEqual(erased);
  }
  expect(await tables.restoreJson('--from', from)).toMatchObject({ unerased: 0, stays: 2, copied: 0 });
});

test('a cart of a later release is not copied, and a defect of this release is no unreadable cart', async () => {
  const from = await tables.givenRestored();
  const item = toCartItem(waitingCart({ expiresAtMs: nowMs + DAY_MS, deleteAtSeconds: nowMs }));
  await tables.put(from, { ...item, schemaVersion: 2 });
  expect(await tables.restoreJson('--from', from)).toMatchObject({ malformed: 1, missing: 0, copied: 0 });

  const hasErasure = () => {
    throw new TypeError('a defect');
  };
  const circumstances = { all: false, nowMs, ended: new Set<string>(), hasErasure };
  const then = marshall(item, { removeUndefinedValues: true });
  expect(() => judge('Carts', then, undefined, circumstances)).toThrow('a defect');
});

test('the limit of a test cart’s actions is no unreadable cart', () => {
  const then = marshall({ id: actionsId('c-1'), tatMicros: 1 });
  const circumstances = { all: false, nowMs, ended: new Set<string>(), hasErasure: () => false };
  expect(judge('TestCarts', then, undefined, circumstances)).toMatchObject({ outcome: 'missing' });
});

test('a cart past its time to live does not come back, and an expired one sends no second event', async () => {
  const from = await tables.givenRestored();
  const gone = await givenThen(from, { deleteAtSeconds: Math.floor(nowMs / 1_000) });
  const expired = await givenThen(from, { expiresAtMs: nowMs - 1 });
  const open = await givenThen(from);

  expect(await tables.restoreJson('--from', from)).toMatchObject({ expired: 1, missing: 2, copied: 2 });
  expect(await stage.carts.live.find(gone.id)).toBeUndefined();
  const later = () => nowMs + DAY_MS + 1;
  await runExpiries(stage, later);
  for (const { id, storeId, mode } of [expired, open]) {
    const events = await eventsOf(stage, { storeId, mode });
    expect(events.filter(({ data }) => data.id === id)).toHaveLength(id === open.id ? 1 : 0);
  }
});
