import { type NativeAttributeValue, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import { toEventItem } from '../../../lib/events/event-item.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { createDeliveryStore } from '../../../lib/deliveries/delivery-store.ts';
import { deliveryId, deliveryMessageOf } from '../../../lib/deliveries/delivery.ts';
import { createEndpointStore } from '../../../lib/endpoints/endpoint-store.ts';
import type { TableKind } from '../../../infra/stage/tables.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { waitingCart } from '../../support/payments.ts';
import { storeEndpoint } from '../../support/endpoints.ts';

const { documents, tableNames } = await givenDatabase();

type Key = Record<string, NativeAttributeValue>;

interface Kind {
  readonly table: TableKind;
  readonly key: Key;
  readonly write: () => Promise<unknown>;
  readonly read: () => Promise<unknown>;
}

const log = { storeId: 'shop', mode: 'live' } as const;
const endpoint = { ...log, endpointId: 'we_1' };
const cart = waitingCart();
const event = {
  ...log,
  sequence: 1,
  id: 'evt_1',
  type: 'cart.completed',
  cartId: cart.id,
  recordedAtMs: NOW_MS,
  body: JSON.stringify({ id: 'evt_1', type: 'cart.completed', data: {} }),
} as const;
const message = deliveryMessageOf(endpoint, event);
const carts = createCartStore(documents, tableNames.carts, () => NOW_MS);
const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
const deliveries = createDeliveryStore(documents, tableNames.deliveries, () => NOW_MS);

const KINDS: Readonly<Record<string, Kind>> = {
  cart: {
    table: 'carts',
    key: { id: cart.id },
    write: () => carts.create(cart),
    read: () => carts.find(cart.id),
  },
  event: {
    table: 'events',
    key: { log: 'live#shop', sequence: 1 },
    write: () => documents.send(new PutCommand({ TableName: tableNames.events, Item: toEventItem(event) })),
    read: () => createEventStore(documents, tableNames.events).last(log),
  },
  endpoint: {
    table: 'webhookEndpoints',
    key: { log: 'live#shop', id: 'we_1' },
    write: () =>
      storeEndpoint(
        { documents, tableNames },
        {
          ...endpoint,
          url: 'https://shop.example',
          createdAtMs: NOW_MS,
        },
      ),
    read: () => endpoints.get(endpoint),
  },
  delivery: {
    table: 'deliveries',
    key: { endpointId: 'we_1', id: deliveryId(message) },
    write: () => deliveries.record(message, { status: 'failed' }, NOW_MS),
    read: () => deliveries.find(message),
  },
};

const update = (
  { table, key: Key }: Pick<Kind, 'table' | 'key'>,
  UpdateExpression: string,
  version: number,
  ConditionExpression?: string,
) =>
  documents.send(
    new UpdateCommand({
      TableName: tableNames[table],
      Key,
      UpdateExpression,
      ConditionExpression,
      ExpressionAttributeValues: { ':version': version },
    }),
  );

/** Removes the version of an item, which must be 1. */
const removeVersion = (of: Pick<Kind, 'table' | 'key'>) =>
  update(of, 'REMOVE schemaVersion', 1, 'schemaVersion = :version');

const setVersion = (of: Pick<Kind, 'table' | 'key'>, version: number) =>
  update(of, 'SET schemaVersion = :version', version);

it.each(Object.entries(KINDS))(
  'a stored %s has a version, is read without one, and is not read with a later one',
  async (name, kind) => {
    await kind.write();
    const written = await kind.read();
    expect(JSON.stringify(written)).not.toContain('schemaVersion');
    await removeVersion(kind);
    expect(await kind.read()).toStrictEqual(written);
    await setVersion(kind, 2);
    await expect(kind.read()).rejects.toThrow(`A stored ${name} has the schema version 2`);
  },
);
