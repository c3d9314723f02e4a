import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { listEvents } from '../../functions/list-events/handler.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { createEventStore } from '../../lib/events/event-store.ts';
import { createPaymentStore } from '../../lib/carts/payment-store.ts';
import { recordPayment } from '../../lib/carts/record-payment.ts';
import { givenGateway } from '../infra/local/gateway/client.ts';
import { givenDatabase } from '../support/database.ts';
import { payment, waitingCart } from '../support/payments.ts';
import { composeService, createDependencies } from '../support/service.ts';
import { findRunnableReceivers, givenShop } from './support/receivers.ts';

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const newEvent = (type = 'cart.completed') => {
  const id = `evt_${randomBytes(16).toString('hex')}`;
  const data = type === 'webhook.ping' ? {} : { id: randomUUID(), status: 'completed' };
  return { id, type, timestamp: new Date().toISOString(), data };
};

interface Sending {
  readonly secrets: readonly string[];
  readonly ageSeconds?: number;
  /** Changes the bytes after the signature. */
  readonly change?: string;
}

/** Sends an event as the service does, signed by the package of Standard Webhooks. Returns the status. */
const send = async (
  url: string,
  event: { readonly id: string },
  { secrets, ageSeconds = 0, change = '' }: Sending,
): Promise<number> => {
  const body = JSON.stringify(event);
  const date = new Date(Date.now() - ageSeconds * 1_000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event.id, date, body));
  const headers = {
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(date.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
  return (await fetch(url, { method: 'POST', headers, body: body + change })).status;
};

// The programs mostly wait, so they run concurrently.
describe.concurrent.each(findRunnableReceivers())('the receiver for $language', (receiver) => {
  test('accepts signed events at once and stores each once, and its worker handles each once', async () => {
    const shop = givenShop(receiver);
    const secret = newSecret();
    const secrets = [secret];
    const url = await shop.startReceiver(secret);
    const [first, second, ping] = [newEvent(), newEvent('cart.abandoned'), newEvent('webhook.ping')];
    for (const event of [first, second, first, ping]) expect(await send(url, event, { secrets })).toBe(204);
    expect(shop.waiting().toSorted()).toStrictEqual(
      [first, second, ping].map(({ id }) => `${id}.json`).toSorted(),
    );

    const worker = shop.startWorker();
    await worker.written(new RegExp(`cart.completed ${first.data.id}\\n`));
    await worker.written(new RegExp(`cart.abandoned ${second.data.id}\\n`));
    await expect.poll(shop.waiting).toStrictEqual([]);
    expect(await send(url, first, { secrets })).toBe(204);
    expect(shop.waiting()).toStrictEqual([]);
  });

  test('rejects what the service did not sign within five minutes, and stores nothing', async () => {
    const shop = givenShop(receiver);
    const secret = newSecret();
    const url = await shop.startReceiver(secret);
    const rejected: Sending[] = [
      { secrets: [newSecret()] },
      { secrets: [] },
      { secrets: [secret], change: ' ' },
      { secrets: [secret], ageSeconds: 310 },
      { secrets: [secret], ageSeconds: -310 },
    ];
    for (const sending of rejected) expect(await send(url, newEvent(), sending)).toBe(400);
    const other = { method: 'POST', headers: { 'webhook-signature': 'v1,', 'webhook-timestamp': 'now' } };
    expect((await fetch(url, { ...other, body: '{}' })).status).toBe(400);
    expect((await fetch(url, { ...other, body: 'x'.repeat(256 * 1_024 + 1) })).status).toBe(413);
    expect((await fetch(`${url}/other`, other)).status).toBe(404);
    expect(shop.waiting()).toStrictEqual([]);
    // During a rotation, both secrets sign.
    expect(await send(url, newEvent(), { secrets: [newSecret(), secret] })).toBe(204);
  });

  test('keeps events that its worker cannot handle, which block no other', async () => {
    const shop = givenShop(receiver);
    writeFileSync(join(shop.inbox, 'broken.json'), '{');
    const event = newEvent();
    writeFileSync(join(shop.inbox, `${event.id}.json`), JSON.stringify(event));
    await shop.startWorker().written(new RegExp(`cart.completed ${event.data.id}\\n`));
    await expect.poll(shop.waiting).toStrictEqual(['broken.json']);
  });
});

/** A store of the service in this process, with its feed at an address. */
const givenStore = async () => {
  const database = await givenDatabase();
  const service = composeService(database);
  const { documents, tableNames } = database;
  const { authenticator, now } = createDependencies(database);
  const handler = listEvents({ authenticator, events: createEventStore(documents, tableNames.events), now });
  const { baseUrl } = await givenGateway({ 'list-events': handler });
  const log = createEventLog(documents, tableNames.events, { now });
  const stores = {
    carts: service.carts.test,
    payments: createPaymentStore(documents, tableNames.testCarts, log),
  };
  return {
    baseUrl,
    apiKey: await service.givenKey(),
    /** Creates carts and lets each be paid. Returns the events' ids, in the order of the feed. */
    completeCarts: async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        const { cart } = await service.carts.test.create(waitingCart({ mode: 'test' }));
        await recordPayment({ cartId: cart.id, mode: 'test', payment: payment() }, stores);
      }
    },
  };
};

describe.concurrent.each(findRunnableReceivers().filter(({ feed }) => feed !== undefined))(
  'the reader of the feed for $language',
  (receiver) => {
    test('stores each event once, page by page, and continues where it stopped', async () => {
      const shop = givenShop(receiver);
      const { baseUrl, apiKey, completeCarts } = await givenStore();
      await completeCarts(3);
      const read = () => shop.readFeed(baseUrl, apiKey);
      expect(await read()).toStrictEqual({ exitCode: 0, output: '' });
      const stored = shop.waiting();
      expect(stored).toHaveLength(3);
      await completeCarts(1);
      await read();
      expect(shop.waiting()).toHaveLength(4);
      expect(shop.waiting()).toStrictEqual(expect.arrayContaining(stored));
    });

    test('says that events are lost if its cursor is not usable, and keeps the cursor', async () => {
      const shop = givenShop(receiver);
      const { baseUrl, apiKey } = await givenStore();
      writeFileSync(join(shop.inbox, 'cursor'), 'not-a-cursor');
      expect(await shop.readFeed(baseUrl, apiKey)).toMatchObject({
        exitCode: 2,
        output: expect.stringMatching(/^VALIDATION_ERROR: .+\n {2}query\.after: /),
      });
    });
  },
);
