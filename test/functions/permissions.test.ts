import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import { type Access, EVENT_FUNCTIONS, OPERATIONS } from '../../functions/operations.ts';
import { paymentTablesOf } from '../../infra/payment-tables.ts';
import { PERMISSIONS } from '../../infra/stack/permissions.ts';
import type { TableKind } from '../../infra/tables.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import type { Mode } from '../../lib/core/mode.ts';
import { toItem } from '../../lib/carts/cart-item.ts';
import { createPaymentStores } from '../../lib/carts/payment-stores.ts';
import { recordPayment } from '../../lib/carts/record-payment.ts';
import { type FaultyService, givenFaultyService } from '../support/faulty-service.ts';
import { payment, waitingCart } from '../support/payments.ts';
import { MERCHANT_OPERATIONS, STORED, VALID_REQUESTS } from '../support/valid-requests.ts';

/** The action of each part of a transaction. */
const ITEM_ACTIONS: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Put: 'PutItem',
};

/** The calls of a scripted DynamoDB as `action table`. IAM checks each write of a transaction by itself. */
const callsOf = (mock: FaultyService['mock']): string[] =>
  mock.calls().flatMap(({ args: [command] }) => {
    if (command instanceof TransactWriteCommand) {
      const parts = (command.input.TransactItems ?? []).flatMap((item) => Object.entries(item));
      return parts.map(
        ([kind, part]) => `${ITEM_ACTIONS[kind]} ${(part as { TableName: string }).TableName}`,
      );
    }
    if (command instanceof QueryCommand) return `Query ${command.input.TableName}`;
    const { TableName } = command.input as { TableName: string };
    const action = command.constructor.name.replace(/(?:Item)?Command$/, '');
    return `${action === 'Scan' ? action : `${action}Item`} ${TableName}`;
  });

const permittedTo = (
  accesses: readonly Access[],
  tableNames: Readonly<Record<TableKind, string>>,
): string[] =>
  accesses.flatMap((access) =>
    PERMISSIONS[access].map(({ table, action }) => `${action} ${tableNames[table]}`),
  );

// Neither the local stage nor the emulator of AWS checks permissions.
it.each(MERCHANT_OPERATIONS)(
  '%s calls only what its access in functions/operations.ts permits',
  async (name) => {
    // Without a stored idempotency secret, a request also makes one.
    const { service, mock } = givenFaultyService(() => ({}));
    const headers = { 'Idempotency-Key': 'order-1' };
    const { request, status } = VALID_REQUESTS[name];
    const apiKey = generateApiKey('test');
    expect((await service.send(name, { ...request, apiKey, headers })).status).toBe(status);

    const permitted = permittedTo(OPERATIONS[name].access, service.tableNames);
    const calls = callsOf(mock);
    expect(calls.length).toBeGreaterThan(0);
    expect(permitted, 'Add the access to functions/operations.ts').toStrictEqual(
      expect.arrayContaining(calls),
    );
  },
);

it('getPaymentCart calls only what its access permits, for carts of either mode', async () => {
  const { service, mock } = givenFaultyService();
  expect((await service.getPaymentCart(STORED.cart.id)).body).toMatchObject({ mode: 'test' });
  const calls = callsOf(mock);
  expect(calls).toHaveLength(3);
  const permitted = permittedTo(OPERATIONS.getPaymentCart.access, service.tableNames);
  expect(permitted).toStrictEqual(expect.arrayContaining(calls));
});

const storedCart = (id: string, mode: Mode) =>
  marshall(toItem(waitingCart({ id, mode })), { removeUndefinedValues: true });

it.each(['succeeded', 'failed'] as const)(
  'a payment that %s calls only what the access of its function permits, in either mode',
  async (result) => {
    const { service, mock } = givenFaultyService();
    mock
      .on(GetItemCommand)
      .callsFake(({ TableName, Key }: { TableName: string; Key: { id: { S: string } } }) => ({
        Item: storedCart(Key.id.S, TableName === service.tableNames.carts ? 'live' : 'test'),
      }));
    const { now } = service.clock;
    const stores = createPaymentStores(service.documents, paymentTablesOf(service.tableNames), { now });
    for (const mode of ['live', 'test'] as const) {
      const event = { cartId: 'c', mode, payment: payment({ result }) };
      expect(await recordPayment(event, stores[mode])).toMatchObject({ outcome: 'recorded' });
    }
    const calls = callsOf(mock);
    expect(calls.length).toBeGreaterThan(3);
    const { access } = EVENT_FUNCTIONS['record-payment'];
    expect(permittedTo(access, service.tableNames)).toStrictEqual(expect.arrayContaining(calls));
    const inSandbox = permittedTo(OPERATIONS.submitSandboxCheckout.access, service.tableNames);
    const { testCarts, events } = service.tableNames;
    const ofTestMode = calls.filter((call) => call.endsWith(testCarts) || call.endsWith(events));
    expect(inSandbox).toStrictEqual(expect.arrayContaining(ofTestMode));
  },
);
