import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { deliveryMessageOf } from '../../../../lib/deliveries/queue/queue-message.ts';
import { deliveryId } from '../../../../lib/deliveries/records/delivery.ts';
import { eraseResponses } from '../../../../lib/operators/erasures/erase-responses.ts';
import { createOperatorDeliveryRepository } from '../../../../lib/operators/operator-delivery-repository.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { beforeCalls } from '../../../support/database/client-calls.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { event } from '../../../support/domain/logged-events.ts';

const { documents, tableNames } = await givenDatabase();
const deliveries = createOperatorDeliveryRepository(documents, tableNames.deliveries, () => NOW_MS);

const DAY_MS = 86_400_000;

/** Runs once before the next call that removes texts. */
let beforeRemoval: (() => Promise<void>) | undefined;
beforeCalls(documents, async ({ UpdateExpression }) => {
  if (!String(UpdateExpression).startsWith('REMOVE attempts')) return;
  const run = beforeRemoval;
  beforeRemoval = undefined;
  await run?.();
});

/** A message that is in flight during an erasure. */
const givenMessage = () => {
  const ref = { storeId: 'shop', mode: 'live', endpointId: `we_${randomUUID()}` } as const;
  return deliveryMessageOf(ref, event(1));
};

type Message = ReturnType<typeof givenMessage>;

const keyOf = (message: Message) => ({ endpointId: message.endpoint.endpointId, id: deliveryId(message) });

const erase = (message: Message, nowMs = NOW_MS): Promise<number> =>
  eraseResponses(documents, tableNames.deliveries, [keyOf(message)], nowMs);

/** When TTL may delete the item of a delivery. */
const deleteAtSeconds = async (message: Message): Promise<unknown> => {
  const get = new GetCommand({ TableName: tableNames.deliveries, Key: keyOf(message) });
  return (await documents.send(get)).Item?.['deleteAtSeconds'];
};

/** Records an attempt whose receiver repeats the buyer's data. */
const attempt = (
  message: Message,
  count: number,
  text: { response?: string } = { response: 'ada@example.com' },
): Promise<void> => {
  const made = { atMs: NOW_MS + count, attempt: count, status: 500, ms: 5, ...text };
  return deliveries.record(message, { status: 'retrying', result: made }, NOW_MS + count);
};

const texts = async (message: Message) =>
  (await deliveries.find(message))?.attempts.map((made) => [made.attempt, made.status, made.response]);

describe('an erasure of responses', () => {
  it('erases those of earlier attempts, and keeps those of later attempts out', async () => {
    const message = givenMessage();
    await attempt(message, 1);
    expect(await texts(message)).toStrictEqual([[1, 500, 'ada@example.com']]);
    // A replay may wait in the queue for 14 days, after which an earlier time to live would be over.
    const erasedAtMs = NOW_MS + 29 * DAY_MS;
    expect(await erase(message, erasedAtMs)).toBe(1);
    expect(await deleteAtSeconds(message)).toBe(Math.floor((erasedAtMs + 30 * DAY_MS) / 1_000));
    await attempt(message, 2);
    expect(await texts(message)).toStrictEqual([
      [1, 500, undefined],
      [2, 500, undefined],
    ]);
    expect(await erase(message)).toBe(0);
  });

  it('erases all texts if an attempt is recorded between its two writes', async () => {
    const message = givenMessage();
    await attempt(message, 1);
    beforeRemoval = () => attempt(message, 2);
    expect(await erase(message)).toBe(1);
    expect(beforeRemoval).toBeUndefined();
    expect(await texts(message)).toStrictEqual([
      [1, 500, undefined],
      [2, 500, undefined],
    ]);
  });

  it('erases the text that an attempt moves to another place in the list, whose size stays', async () => {
    const message = givenMessage();
    // The record keeps the last 20 attempts. The last one has the text.
    for (let count = 1; count < 20; count += 1) await attempt(message, count, {});
    await attempt(message, 20);
    beforeRemoval = () => attempt(message, 21, {});
    expect(await erase(message)).toBe(1);
    expect(beforeRemoval).toBeUndefined();
    const kept = Array.from({ length: 20 }, (_, index) => [index + 2, 500, undefined]);
    expect(await texts(message)).toStrictEqual(kept);
  });

  it('keeps the response to a first attempt in flight out, and makes no delivery', async () => {
    const message = givenMessage();
    expect(await erase(message)).toBe(0);
    expect(await deliveries.find(message)).toBeUndefined();
    expect(await deliveries.listOf(message.endpoint.endpointId)).toStrictEqual([]);
    expect(await deleteAtSeconds(message)).toBe(Math.floor((NOW_MS + 30 * DAY_MS) / 1_000));

    await attempt(message, 1);
    expect(await texts(message)).toStrictEqual([[1, 500, undefined]]);
    const [listed] = await deliveries.listOf(message.endpoint.endpointId);
    expect(listed).toMatchObject({ eventId: message.eventId, status: 'retrying', sequence: 1 });
    expect(JSON.stringify(listed)).not.toContain('responsesErased');
  });

  it('leaves other deliveries of the endpoint as they are', async () => {
    const message = givenMessage();
    const beside = { ...message, eventId: 'evt_beside' };
    await erase(message);
    await attempt(beside, 1);
    expect(await texts(beside)).toStrictEqual([[1, 500, 'ada@example.com']]);
  });
});
