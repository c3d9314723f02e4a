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

/** The value at a path such as `statusChange.M.to.S`. */
const valueAt = (image: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], image);

/** The path below the new image that the pipe's filter requires. */
const filteredPath = (filter: object): string => {
  const [[name, inner] = ['', undefined]] = Object.entries(filter) as [string, unknown][];
  return Array.isArray(inner) ? name : `${name}.${filteredPath(inner as object)}`;
};

/** Records payments on a new cart. Returns the new image in the stream, and the events of the local stage. */
const recorded = async (...payments: readonly Payment[]) => {
  const { documents, tableNames } = database;
  const carts = createCartStore(documents, tableNames.carts);
  const stores = { carts, payments: createPaymentStore(documents, tableNames.carts) };
  const cart = waitingCart();
  await carts.create(cart);
  const events: StatusChanged[] = [];
  const end = watchStatusChanges((change) => events.push(change));
  for (const each of payments) await recordPayment(cart.id, each, stores);
  end();
  const command = new GetItemCommand({ TableName: tableNames.carts, Key: { id: { S: cart.id } } });
  return { image: (await documents.send(command)).Item, events };
};

const FILTERED_PATH = filteredPath(STATUS_CHANGED_FILTER.dynamodb.NewImage);

describe("the pipe's event", () => {
  it.each([
    ['completes', payment()],
    ['fails', payment({ result: 'failed' })],
    ['is late', payment({ occurredAtMs: CREATED_AT_MS + 86_400_000 })],
  ])('equals the event of the local stage: a payment that %s', async (_, paid) => {
    const { image, events } = await recorded(paid);
    const event = Object.fromEntries(
      Object.entries(STATUS_CHANGED_FIELDS).map(([name, path]) => [name, valueAt(image, path)]),
    );
    expect(events).toStrictEqual([event]);
    expect(valueAt(image, FILTERED_PATH)).toBe(event['to']);
  });

  it('is not sent for a payment that changes no status', async () => {
    const failures = [1_000, 2_000].map((ms) =>
      payment({ result: 'failed', occurredAtMs: CREATED_AT_MS + ms }),
    );
    const { image, events } = await recorded(...failures);
    expect(events).toHaveLength(1);
    expect(valueAt(image, FILTERED_PATH)).toBeUndefined();
  });
});
