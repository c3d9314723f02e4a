import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { readFound } from '../../../../infra/operate/buyers/found-items.ts';
import { cartEvent } from '../../../../lib/carts/cart-event.ts';
import { toCartItem } from '../../../../lib/carts/cart-item.ts';
import { deliveryId } from '../../../../lib/deliveries/records/delivery.ts';
import { toEventItem } from '../../../../lib/events/event-item.ts';
import { loggedEvent, logKey } from '../../../../lib/events/logged-event.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { waitingCart } from '../../../support/domain/payments.ts';

test('items past their deletion time are found, because DynamoDB still has their personal data', async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const past = { deleteAtSeconds: 1 };
  const put = (TableName: string, item: object) =>
    documents.send(new PutCommand({ TableName, Item: { ...item, ...past } }));

  const cart = waitingCart();
  await put(tableNames.carts, toCartItem(cart));
  const event = loggedEvent(cartEvent({ type: 'cart.abandoned', cart, cause: 'expiry' }), 1, NOW_MS);
  await put(tableNames.events, toEventItem(event));
  const key = { endpointId: 'we_1', id: deliveryId({ recordedAtMs: NOW_MS, eventId: event.id }) };
  const record = { ...key, eventId: event.id, type: event.type, recordedAtMs: NOW_MS, latest: 'succeeded' };
  await put(tableNames.deliveries, record);

  const found = {
    startedAtMs: NOW_MS,
    carts: [{ table: 'carts' as const, id: cart.id }],
    events: [{ log: logKey(event), sequence: 1, id: event.id }],
    deliveries: [key],
  };
  const { carts, events, deliveries, unreadable } = await readFound(found, database);
  expect([carts, events, deliveries, unreadable].map((each) => [...each].length)).toStrictEqual([1, 1, 1, 0]);
});
