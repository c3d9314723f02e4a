import { expect, it } from 'vitest';
import type { Access } from '../../functions/access.ts';
import { FUNCTIONS, HTTP_FUNCTION_NAMES } from '../../functions/function-needs.ts';
import { type HttpFunctionName, OPERATIONS } from '../../functions/operations.ts';
import { type Permission, PERMISSIONS } from '../../infra/stack/database/permissions.ts';
import { BUS_TYPES } from '../../infra/stack/events/bus-types.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { toCartItem } from '../../lib/carts/cart-item.ts';
import { COUNTER_SEQUENCE } from '../../lib/events/event-counter.ts';
import { toEventItem } from '../../lib/events/event-item.ts';
import { createPaymentRepositories } from '../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../lib/payments/record-payment-event.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import { paymentTablesOf } from '../support/domain/payment-tables.ts';
import { payment, refund, waitingCart } from '../support/domain/payments.ts';
import { allows, isLike, type ItemCall, itemCallsOf } from '../support/functions/iam.ts';
import { DENIED_CALLS, MERCHANT_OPERATIONS, OPERATION_ROWS } from '../support/operations/all-rows.ts';
import type { MerchantOperationName } from '../support/operations/row-types.ts';
import { STORED } from '../support/operations/stored.ts';
import { type FaultyService, givenFaultyService } from '../support/service/faulty-service.ts';

/** The calls of a scripted DynamoDB. */
const callsOf = ({ calls, service }: FaultyService): ItemCall[] =>
  calls.flatMap(({ command, input }) => {
    const operation = command.replace(/^(Get|Put|Update)$/, '$1Item');
    return itemCallsOf(operation, input, service.tableNames);
  });

/** The calls that the accesses do not permit. */
const denied = (calls: readonly ItemCall[], accesses: readonly Access[]): ItemCall[] => {
  const permissions = accesses.flatMap((access) => PERMISSIONS[access]);
  return calls.filter((call) => !permissions.some((permission) => allows(permission, call)));
};

/** A read of an event, or of a missing counter. */
const getEvent = ({ Key }: { readonly Key: { readonly sequence: number } }) =>
  Key.sequence === COUNTER_SEQUENCE ? {} : { Item: toEventItem(STORED.event) };

/** Without a counter, the last event of the log is read. */
const STORES = ['with items', 'without items'] as const;

/** Sends the request of an operation of merchants. Returns its status and its calls. */
const sendOf = async (name: MerchantOperationName, items: (typeof STORES)[number]) => {
  // Without a stored idempotency secret, a request also makes one.
  const faulty = givenFaultyService(({ Key }) => (Key.id.startsWith('we_') ? { Item: STORED.secret } : {}));
  if (items === 'without items') {
    faulty.script('Query', () => ({}));
    faulty.script('Get', getEvent, 'events');
  }
  const headers = { 'Idempotency-Key': 'order-1' };
  const { request } = OPERATION_ROWS[name];
  const { status } = await faulty.service.send(name, {
    ...request,
    apiKey: generateApiKey('test'),
    headers,
  });
  return { status, calls: callsOf(faulty) };
};

// Neither the local stage nor the emulator of AWS checks permissions.
it.each(MERCHANT_OPERATIONS.flatMap((name) => STORES.map((items) => [name, items] as const)))(
  '%s calls only what its access in functions/operations.ts permits, of a store %s',
  async (name, items) => {
    const { status, calls } = await sendOf(name, items);
    expect(status).toBe(OPERATION_ROWS[name].status);
    expect(calls.length).toBeGreaterThan(0);
    const { access } = OPERATIONS[name];
    expect(denied(calls, access), 'Add the access to functions/operations.ts').toStrictEqual([]);
  },
);

/** The calls of a function for every operation of merchants, with items and without. */
const callsOfFunction = async (functionName: HttpFunctionName): Promise<readonly ItemCall[]> => {
  const calls: ItemCall[] = [];
  for (const name of MERCHANT_OPERATIONS.filter((each) => OPERATIONS[each].functionName === functionName)) {
    for (const items of STORES) calls.push(...(await sendOf(name, items)).calls);
  }
  return calls;
};

/** Permissions that these requests do not need, with the case that needs them. */
const RARE = {
  'apiKeys GetItem': 'a key whose bucket is empty',
  'webhookEndpoints DeleteItem': 'a list with an endpoint that was removed long ago',
  'stores GetItem': 'getPaymentCart',
  'products Query': 'a creation for a product that the store does not sell',
  'testCarts GetItem': 'a retry of a creation whose product is no longer sold',
} as const;

it.each(HTTP_FUNCTION_NAMES.filter((name) => name !== 'sandbox-checkout'))(
  '%s makes a call for each of its permissions',
  async (name) => {
    const calls = await callsOfFunction(name);
    const isUsed = (permission: Permission): boolean =>
      calls.some((call) => allows(permission, call)) ||
      // The requests are of test mode.
      (permission.table === 'carts' && isUsed({ ...permission, table: 'testCarts' })) ||
      `${permission.table} ${permission.action}` in RARE;
    const permissions = FUNCTIONS[name].access.flatMap((access) => PERMISSIONS[access]);
    const unused = permissions.filter((permission) => !isUsed(permission));
    expect(unused).toStrictEqual([]);
  },
);

it('a creation in test mode calls only what its access permits, also for a product that the store does not sell', async () => {
  const faulty = givenFaultyService();
  const { service } = faulty;
  faulty.script('Get', () => ({}), 'products');
  const body = cartBody('none');
  expect((await service.createCart(body, { apiKey: generateApiKey('test') })).status).toBe(400);
  const calls = callsOf(faulty);
  expect(calls.map(({ action }) => action)).toContain('Query');
  expect(denied(calls, OPERATIONS.createCartCheckout.access)).toStrictEqual([]);
});

it('getPaymentCart calls only what its access permits, for carts of either mode', async () => {
  const faulty = givenFaultyService();
  const { service } = faulty;
  expect((await service.getPaymentCart(STORED.cart.id)).body).toMatchObject({ mode: 'test' });
  const calls = callsOf(faulty);
  expect(calls).toHaveLength(3);
  expect(denied(calls, OPERATIONS.getPaymentCart.access)).toStrictEqual([]);
});

/** The key of a read of a cart. */
interface CartKey {
  readonly Key: { readonly id: string };
}

const storedCart = (id: string, mode: Mode) => toCartItem(waitingCart({ id, mode }));

it('a refund that comes before its payment calls only what the access of its function permits, in either mode', async () => {
  const faulty = givenFaultyService();
  const { service } = faulty;
  for (const table of ['carts', 'testCarts'] as const)
    faulty.script('Get', ({ Key }: CartKey) => ({ Item: storedCart(Key.id, 'live') }), table);
  const { now } = service.clock;
  const repositories = createPaymentRepositories(service.documents, paymentTablesOf(service.tableNames), {
    now,
  });
  for (const mode of ['live', 'test'] as const) {
    const event = { cartId: 'c', mode, refund: refund({ paymentId: 'p' }) };
    expect(await recordPaymentEvent(event, repositories[mode])).toMatchObject({ outcome: 'recorded' });
  }
  const calls = callsOf(faulty);
  expect(calls.filter(({ action }) => action === 'ConditionCheckItem')).toMatchObject([
    { table: 'carts', partitionKey: 'payment#p' },
    { table: 'testCarts', partitionKey: 'payment#p' },
  ]);
  expect(denied(calls, FUNCTIONS['record-payment'].access)).toStrictEqual([]);
});

it.each(['succeeded', 'failed'] as const)(
  'a payment that %s calls only what the access of its function permits, in either mode',
  async (result) => {
    const faulty = givenFaultyService();
    const { service } = faulty;
    for (const mode of ['live', 'test'] as const) {
      const table = mode === 'live' ? 'carts' : 'testCarts';
      faulty.script('Get', ({ Key }: CartKey) => ({ Item: storedCart(Key.id, mode) }), table);
    }
    const { now } = service.clock;
    const repositories = createPaymentRepositories(service.documents, paymentTablesOf(service.tableNames), {
      now,
    });
    for (const mode of ['live', 'test'] as const) {
      const event = { cartId: 'c', mode, payment: payment({ result }) };
      expect(await recordPaymentEvent(event, repositories[mode])).toMatchObject({ outcome: 'recorded' });
    }
    const calls = callsOf(faulty);
    expect(calls.length).toBeGreaterThan(3);
    expect(denied(calls, FUNCTIONS['record-payment'].access)).toStrictEqual([]);
    const ofTestMode = calls.filter(
      ({ table, partitionKey }) => table === 'testCarts' || partitionKey?.startsWith('test#'),
    );
    expect(ofTestMode.length).toBeGreaterThan(1);
    expect(denied(ofTestMode, OPERATIONS.submitSandboxCheckout.access)).toStrictEqual([]);
  },
);

// `npm run test:aws` asks AWS about the same calls.
it.each(DENIED_CALLS)('the role of %s may not %s', (name, _what, call) => {
  const isPermitted =
    'eventType' in call
      ? BUS_TYPES[name as keyof typeof BUS_TYPES].some((type) => isLike(call.eventType, type))
      : denied([call], FUNCTIONS[name].access).length === 0;
  expect(isPermitted).toBe(false);
});
