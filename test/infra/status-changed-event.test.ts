import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { watchStatusChanges } from '../../infra/local/status-changes.ts';
import {
  STATUS_CHANGED_FIELDS,
  STATUS_CHANGED_FILTER,
  type StatusChanged,
} from '../../infra/status-changed-event.ts';
import { createCartStore } from '../../lib/carts/cart-store.ts';
import { createPaymentStore } from '../../lib/carts/payment-store.ts';
import type { Payment } from '../../lib/carts/payment.ts';
import { recordPayment } from '../../lib/carts/record-payment.ts';
import { givenDatabase, type TestDatabase } from '../support/database.ts';
import { CREATED_AT_MS, payment, waitingCart } from '../support/payments.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await givenDatabase();
});

/** What a path such as `statusChange.M.to.S` leads to. */
const valueAt = (image: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], image);

/** The path whose existence the pipe's filter asks for, below the new image. */
const filteredPath = (filter: object): string => {
  const [[name, inner] = ['', undefined]] = Object.entries(filter) as [string, unknown][];
  return Array.isArray(inner) ? name : `${name}.${filteredPath(inner as object)}`;
};

/** Records payments on a new cart: the new image that a stream tells of the last one, and what the local stage told. */
const recorded = async (...payments: readonly Payment[]) => {
  const { documents, tableNames } = database;
  const carts = createCartStore(documents, tableNames.carts);
  const stores = { carts, payments: createPaymentStore(documents, tableNames.carts) };
  const cart = waitingCart();
  await carts.create(cart);
  const told: StatusChanged[] = [];
  const end = watchStatusChanges((change) => told.push(change));
  for (const each of payments) await recordPayment(cart.id, each, stores);
  end();
  const command = new GetItemCommand({ TableName: tableNames.carts, Key: { id: { S: cart.id } } });
  return { image: (await documents.send(command)).Item, told };
};

const FILTERED_PATH = filteredPath(STATUS_CHANGED_FILTER.dynamodb.NewImage);

describe("the pipe's event", () => {
  it.each([
    ['completes', payment()],
    ['fails', payment({ result: 'failed' })],
    ['comes late', payment({ occurredAtMs: CREATED_AT_MS + 86_400_000 })],
  ])(
    'is found in the item as it is stored, as the local stage tells it: a payment that %s',
    async (_, paid) => {
      const { image, told } = await recorded(paid);
      const event = Object.fromEntries(
        Object.entries(STATUS_CHANGED_FIELDS).map(([name, path]) => [name, valueAt(image, path)]),
      );
      expect(told).toStrictEqual([event]);
      expect(valueAt(image, FILTERED_PATH)).toBe(event['to']);
    },
  );

  it('is none where the last payment changed no status', async () => {
    const failures = [1_000, 2_000].map((ms) =>
      payment({ result: 'failed', occurredAtMs: CREATED_AT_MS + ms }),
    );
    const { image, told } = await recorded(...failures);
    expect(told).toHaveLength(1);
    expect(valueAt(image, FILTERED_PATH)).toBeUndefined();
  });
});
