import { type NativeAttributeValue, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import type { TableKind } from '../../../lib/database/tables.ts';
import { deliveryMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../../lib/deliveries/records/delivery-repository.ts';
import { deliveryId } from '../../../lib/deliveries/records/delivery.ts';
import { createEndpointRepository } from '../../../lib/endpoints/endpoint-repository.ts';
import { toEventItem } from '../../../lib/events/event-item.ts';
import { createEventRepository } from '../../../lib/events/event-repository.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { storeEndpoint } from '../../support/domain/endpoints.ts';
import { waitingCart } from '../../support/domain/payments.ts';

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
const carts = createCartRepository(documents, tableNames.carts, () => NOW_MS);
const endpoints = createEndpointRepository(documents, tableNames.webhookEndpoints);
const deliveries = createDeliveryRepository(documents, tableNames.deliveries, () => NOW_MS);

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
    read: () => createEventRepository(documents, tableNames.events).last(log),
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
    read: () => endpoints.find(endpoint),
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
