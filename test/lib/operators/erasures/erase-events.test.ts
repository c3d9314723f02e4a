import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { cartEvent } from '../../../../lib/carts/cart-event.ts';
import { eventsAmong } from '../../../../lib/events/event-item.ts';
import { createEventRepository } from '../../../../lib/events/event-repository.ts';
import { type LoggedEvent, logKey } from '../../../../lib/events/logged-event.ts';
import { erasedEventBody, eraseEvents } from '../../../../lib/operators/erasures/erase-events.ts';
import { beforeCalls } from '../../../support/database/client-calls.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { eventLogOf } from '../../../support/domain/event-logs.ts';
import { waitingCart } from '../../../support/domain/payments.ts';

const database = await givenDatabase();
const { documents, tableNames, newClient } = database;

/** Stores two events of a store, and returns them with a function that reads them again. */
const givenEvents = async () => {
  const log = { storeId: randomUUID(), mode: 'live' } as const;
  for (const cause of ['first', 'second']) {
    const event = cartEvent({ type: 'cart.completed', cart: waitingCart(log), cause });
    await eventLogOf(database).append(log, { event, writes: [] });
  }
  const read = async (): Promise<readonly LoggedEvent[]> =>
    eventsAmong((await createEventRepository(documents, tableNames.events).after(log, 0, 10)).entries);
  return { events: await read(), read };
};

describe('an erasure of events', () => {
  it('changes the body of each event alone, and none when it is repeated', async () => {
    const { events, read } = await givenEvents();
    expect(await eraseEvents(documents, tableNames.events, events)).toBe(2);
    const erased = await read();
    expect(erased).toStrictEqual(events.map((event) => ({ ...event, body: erasedEventBody(event.body) })));
    const client = newClient();
    beforeCalls(client, () => expect.fail('a repetition writes nothing'));
    expect(await eraseEvents(client, tableNames.events, erased)).toBe(0);
  });

  it('does not bring an event back that TTL has deleted since it was read', async () => {
    const { events, read } = await givenEvents();
    const [deleted, left] = events as [LoggedEvent, LoggedEvent];
    const Key = { log: logKey(deleted), sequence: deleted.sequence };
    await documents.send(new DeleteCommand({ TableName: tableNames.events, Key }));
    expect(await eraseEvents(documents, tableNames.events, events)).toBe(1);
    expect((await read()).map(({ id }) => id)).toStrictEqual([left.id]);
  });

  it('fails if an update fails', async () => {
    const { events } = await givenEvents();
    await expect(eraseEvents(documents, 'no-such-table', events)).rejects.toThrow(
      'Requested resource not found',
    );
  });
});
