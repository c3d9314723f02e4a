import { randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { duplicatePaymentIds } from '../../../../lib/carts/cart-payments.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { createPaymentRepositories } from '../../../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import { paymentTablesOf } from '../../../support/domain/payment-tables.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';
import type { BusEntry } from '../../../support/operators/aws-stand-in.ts';
import { type DeployedOptions, givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { interceptCalls } from '../../../support/operators/intercept-calls.ts';
import { recorderOf } from '../../../support/operators/record-from-bus.ts';

const stage = await givenOperatedService();
const { clock, aws } = stage;
const payments = createPaymentRepositories(stage.documents, paymentTablesOf(stage.tableNames), clock);

afterAll(stage.close);

afterEach(() => {
  aws.onEvent(async () => undefined);
  aws.entries.length = 0;
});

const givenCart = async (changes: Partial<Cart> = {}): Promise<Cart> =>
  (await stage.carts.live.create(waitingCart({ createdAtMs: clock.now(), ...changes }))).cart;

const record = recorderOf(stage);

/** The payment side reports a payment of the cart. */
const payBySide = async ({ id }: Cart): Promise<string> => {
  const paid = payment({ occurredAtMs: clock.now() });
  await recordPaymentEvent({ cartId: id, mode: 'live', payment: paid }, payments.live);
  return paid.paymentId;
};

/** A cart of 19.99 EUR that the payment side has reported as paid. */
const givenPaidCart = async (): Promise<Cart> => {
  const cart = await givenCart();
  await payBySide(cart);
  return cart;
};

const send = ({ id }: Cart, flags: readonly string[], options?: DeployedOptions) =>
  stage.run(['payments', 'send', '--cart', id, ...flags], options);

const SUCCEEDED = ['--result', 'succeeded', '--yes'];
const REFUNDED = ['--result', 'refunded', '--yes'];

const storedCart = async ({ id }: Cart): Promise<Cart> => (await stage.carts.live.find(id)) as Cart;

const deleteItem = ({ id }: { readonly id: string }) =>
  stage.documents.send(new DeleteCommand({ TableName: stage.tableNames.carts, Key: { id } }));

/** The events on the bus, without repetitions. */
const sentEvents = (): readonly string[] => {
  const textOf = ({ Detail }: BusEntry): string => {
    const fields = JSON.parse(Detail) as object;
    return JSON.stringify(fields, Object.keys(fields).toSorted());
  };
  return [...new Set(aws.entries.map(textOf))];
};

const NOT_RECORDED = /^The (?:payment|refund) is not recorded within 15 s\. You can repeat the same command/m;

describe('a repetition of payments send', () => {
  test.each([
    ['a payment', SUCCEEDED, () => givenCart()],
    ['a failed payment', ['--result', 'failed', '--failure-reason', 'x', '--yes'], () => givenCart()],
    ['a refund of the rest', REFUNDED, givenPaidCart],
    ['a refund in part', [...REFUNDED, '--amount', '5'], givenPaidCart],
    ['another payment', [...SUCCEEDED, '--provider-id', 'ch_1'], givenPaidCart],
  ])('without a consumer sends the same event again, by anybody, of %s', async (_what, flags, given) => {
    const cart = await given();
    for (let sent = 0; sent < 2; sent += 1) {
      const { exitCode, stderr } = await send(cart, flags);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(NOT_RECORDED);
      clock.advance(60);
    }
    expect(aws.entries).toHaveLength(2);
    expect(sentEvents()).toHaveLength(1);

    const before = await storedCart(cart);
    for (const entry of aws.entries) await record(entry);
    const { payments: paid = [], refunds = [] } = await storedCart(cart);
    const changes = (before.payments?.length ?? 0) + (before.refunds?.length ?? 0) + 1;
    expect(paid.length + refunds.length).toBe(changes);
    const { exitCode, stdout } = await send(cart, flags);
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Nothing changed'),
    });
    expect(aws.entries).toHaveLength(2);
  });

  test.each([
    ['EventBridge rejects the event', async () => 'InternalFailure'],
    [
      'the response of EventBridge is lost',
      async (entry: BusEntry) => {
        await record(entry);
        return 'InternalFailure';
      },
    ],
  ])('after %s records one payment', async (_what, onEvent) => {
    const cart = await givenCart();
    aws.onEvent(onEvent);
    expect((await send(cart, SUCCEEDED)).exitCode).toBe(1);
    aws.onEvent(record);
    clock.advance(60);
    expect((await send(cart, SUCCEEDED)).exitCode).toBe(0);
    expect(sentEvents()).toHaveLength(1);
    const { status, payments: paid } = await storedCart(cart);
    expect({ status, paid: paid?.length }).toStrictEqual({ status: 'completed', paid: 1 });
  });

  test('after the failure of the write sends the event of the first write', async () => {
    const cart = await givenCart();
    let isLost = false;
    interceptCalls(async (command) => {
      if (!(command instanceof PutCommand) || isLost) return undefined;
      isLost = true;
      await stage.documents.send(command);
      throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
    });
    expect((await send(cart, SUCCEEDED)).exitCode).toBe(1);
    const firstMs = clock.now();
    clock.advance(60);
    aws.onEvent(record);
    expect((await send(cart, SUCCEEDED)).exitCode).toBe(0);
    expect((await storedCart(cart)).payments).toMatchObject([{ occurredAtMs: firstMs }]);
  });

  test('changes nothing once the cart has the payment, also after its report is deleted', async () => {
    const cart = await givenCart();
    aws.onEvent(record);
    await send(cart, SUCCEEDED);
    await deleteItem({ id: `reports#${cart.id}` });
    clock.advance(60);
    expect((await send(cart, SUCCEEDED)).stdout).toContain('Nothing changed');
    expect(aws.entries).toHaveLength(1);
  });

  test('with other options shows both values, and sends nothing', async () => {
    const cart = await givenCart();
    const [first, second] = [randomUUID(), randomUUID()];
    await send(cart, [...SUCCEEDED, '--payment-id', first]);
    const at = ['--occurred-at', '2026-01-15T12:00:00Z'];
    const { exitCode, stderr } = await send(cart, [...SUCCEEDED, '--payment-id', second, ...at]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^operate-\\S+ was reported before with other values: --payment-id ${second}, reported as ${first}; --occurred-at 2026-01-15T12:00:00.000Z, reported as 2026-\\S+Z\\. Nothing was changed\\.`,
      ),
    );
    expect(aws.entries).toHaveLength(1);
  });
});

test('reports of several operators at the same time are one event', async () => {
  const cart = await givenCart();
  // Each has read the cart before the first one stores a report.
  const OPERATORS = 4;
  const waiting: (() => void)[] = [];
  interceptCalls(async (command) => {
    if (!(command instanceof PutCommand) || waiting.length === OPERATORS) return undefined;
    const all = new Promise<void>((settle) => waiting.push(settle));
    if (waiting.length === OPERATORS) for (const settle of waiting) settle();
    await all;
    return undefined;
  });
  const operators = Array.from({ length: OPERATORS }, (_, ahead) => clock.now() + ahead);
  const ended = await Promise.all(operators.map((nowMs) => send(cart, SUCCEEDED, { now: () => nowMs })));
  for (const { exitCode, stderr } of ended) {
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(NOT_RECORDED);
  }
  expect(aws.entries).toHaveLength(OPERATORS);
  expect(sentEvents()).toHaveLength(1);
});

describe('a payment of a completed cart', () => {
  test('is sent without a question only if --provider-id names it', async () => {
    const cart = await givenPaidCart();
    const { exitCode, stderr } = await send(cart, SUCCEEDED);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/becomes a duplicate payment of a completed cart.*\n.*add --provider-id/);
    expect(aws.entries).toStrictEqual([]);

    aws.onEvent(record);
    expect((await send(cart, [...SUCCEEDED, '--provider-id', 'ch_2'])).exitCode).toBe(0);
    const stored = await storedCart(cart);
    expect(duplicatePaymentIds(stored)).toHaveLength(1);
    expect(stored.payments?.map(({ eventId }) => eventId)).toContain('ch_2');
  });

  test('is a duplicate as well if the first report is still on the way', async () => {
    const cart = await givenCart();
    await send(cart, SUCCEEDED);
    const { stderr } = await send(cart, [...SUCCEEDED, '--provider-id', 'ch_3']);
    expect(stderr).toMatch(
      /^Reported by hand before, and not recorded yet: a successful payment of 19\.99 EUR/,
    );
    expect(stderr).toMatch(/becomes a duplicate payment of a completed cart/);
  });

  test('on a terminal states the consequence, and asks for the amount', async () => {
    const cart = await givenPaidCart();
    const flags = ['--result', 'succeeded'];
    const declined = await send(cart, flags, { typed: 'yes\n' });
    expect(declined.exitCode).toBe(1);
    expect(declined.stderr).toContain('becomes a duplicate payment of a completed cart');
    expect(declined.stderr).toContain(
      `for the live cart ${cart.id} on the stage one (eu-west-1, account 123456789012). Type 19.99 to continue: `,
    );
    expect(declined.stderr).toContain('Not confirmed: nothing was changed.');
    expect(aws.entries).toStrictEqual([]);

    aws.onEvent(record);
    expect((await send(cart, flags, { typed: '19.99\n' })).exitCode).toBe(0);
    expect(duplicatePaymentIds(await storedCart(cart))).toHaveLength(1);
  });
});

/** Changes a cart once the command has read it for its question. Only the second plan sees the change. */
const duringQuestion = (cart: Cart, change: (cart: Cart) => Promise<unknown>): void => {
  let isChanged = false;
  interceptCalls(async (command) => {
    const isRead = command instanceof GetCommand && command.input.Key?.['id'] === `reports#${cart.id}`;
    if (!isRead || isChanged) return undefined;
    isChanged = true;
    await change(cart);
    return undefined;
  });
};

const refundBySide = async (cart: Cart): Promise<void> => {
  const { paymentId = '' } = await storedCart(cart);
  const refund = { refundId: 're_1', paymentId, amount: 5, currency: 'EUR', occurredAtMs: clock.now() };
  await recordPaymentEvent({ cartId: cart.id, mode: 'live', refund }, payments.live);
};

/** A repeated Idempotency-Key gives the same id. */
const createAgain = async (cart: Cart): Promise<void> => {
  await deleteItem(cart);
  await stage.carts.live.create({ ...cart, createdAtMs: cart.createdAtMs + 1 });
};

test.each([
  ['the payment side reports a payment', 'succeeded', givenCart, payBySide],
  ['a refund makes the rest smaller', 'refunded', givenPaidCart, refundBySide],
  ['the cart is deleted', 'succeeded', givenCart, deleteItem],
  ['another cart gets its id', 'succeeded', givenCart, createAgain],
])('nothing is sent if during the question %s', async (_what, result, given, change) => {
  const cart = await given();
  duringQuestion(cart, change);
  const { exitCode, stderr } = await send(cart, ['--result', result], { typed: '19.99\n' });
  expect(stderr).toMatch(/(?:has changed since the question|was deleted meanwhile)\. Nothing was changed/);
  expect(exitCode).toBe(1);
  expect(aws.entries).toStrictEqual([]);
});

describe('a refund of more than is left', () => {
  test('needs --exceed, also on a terminal', async () => {
    const cart = await givenPaidCart();
    const flags = ['--result', 'refunded', '--amount', '1009.99'];
    const rejected = await send(cart, flags, { typed: '1009.99\n' });
    expect(rejected.exitCode).toBe(1);
    expect(rejected.stderr).toMatch(/exceed the payment \S+ by 990\.00 EUR\.\n.*add --exceed/);
    expect(aws.entries).toStrictEqual([]);

    aws.onEvent(record);
    expect((await send(cart, [...flags, '--exceed', '--yes'])).exitCode).toBe(0);
    expect((await storedCart(cart)).refunds).toMatchObject([{ amount: 1009.99 }]);
  });

  test('counts the refunds that are reported by hand and not recorded yet', async () => {
    const cart = await givenPaidCart();
    await send(cart, REFUNDED);
    const inPart = await send(cart, [...REFUNDED, '--amount', '5']);
    expect(inPart.exitCode).toBe(1);
    expect(inPart.stderr).toMatch(/by 5\.00 EUR/);
    const rest = await send(cart, [...REFUNDED, '--provider-id', 're_2']);
    expect(rest.exitCode).toBe(1);
    expect(rest.stderr).toMatch(/^Nothing is left to refund of the payment/);
    expect(aws.entries).toHaveLength(1);
  });

  test('of the same amount is the first refund, unless --provider-id names it', async () => {
    const cart = await givenPaidCart();
    aws.onEvent(record);
    const flags = [...REFUNDED, '--amount', '5'];
    await send(cart, flags);
    expect((await send(cart, flags)).stdout).toContain('A further one needs --provider-id.');
    expect((await send(cart, [...flags, '--provider-id', 're_2'])).exitCode).toBe(0);
    expect((await storedCart(cart)).refunds).toHaveLength(2);
  });
});
