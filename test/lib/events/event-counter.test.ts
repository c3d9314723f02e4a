import { randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { cartEvent } from '../../../lib/carts/cart-event.ts';
import { counterKey } from '../../../lib/events/event-counter.ts';
import { eventsAmong } from '../../../lib/events/event-item.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { NOW_MS } from '../../support/clock.ts';
import { eventLogOf } from '../../support/domain/event-logs.ts';
import { waitingCart } from '../../support/domain/payments.ts';
import { givenLogs } from './logs.ts';

const { database, repository, givenLog, putCounter, append } = await givenLogs();
const { documents, tableNames } = database;

const numbersIn = async (log: StoreMode): Promise<readonly number[]> =>
  eventsAmong((await repository.after(log, 0, 1_000)).entries).map(({ sequence }) => sequence);

const consecutive = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => NOW_MS + index);

describe('the counter of a log', () => {
  const counterOf = async (log: StoreMode) => {
    const command = new GetCommand({ TableName: tableNames.events, Key: counterKey(log) });
    return (await documents.send(command)).Item;
  };

  it('has the place of the last event, and no time to live', async () => {
    const log = givenLog();
    await Promise.all([append(log), append(log)]);
    const last = eventsAmong((await repository.after(log, 0, 10)).entries).at(-1);
    expect(await counterOf(log)).toStrictEqual({
      ...counterKey(log),
      last: last?.sequence,
      lastRecordedAtMs: last?.recordedAtMs,
    });
  });

  const setLast = (log: StoreMode, last: number) => putCounter(log, { last, lastRecordedAtMs: NOW_MS });

  it.each([
    [
      'missing',
      (log: StoreMode) =>
        documents.send(new DeleteCommand({ TableName: tableNames.events, Key: counterKey(log) })),
    ],
    ['behind', (log: StoreMode) => setLast(log, NOW_MS)],
  ])('follows the last event of its log if it is %s', async (_, damage) => {
    const log = givenLog();
    for (let i = 0; i < 3; i += 1) await append(log);
    await damage(log);
    for (let i = 0; i < 2; i += 1) await append(log);
    expect(await numbersIn(log)).toStrictEqual(consecutive(5));
    expect(await counterOf(log)).toMatchObject({ last: NOW_MS + 4 });
  });

  it('is followed if it is ahead of its log', async () => {
    const log = givenLog();
    await append(log);
    await setLast(log, NOW_MS + 1_000);
    await append(log);
    expect(await numbersIn(log)).toStrictEqual([NOW_MS, NOW_MS + 1_001]);
  });

  it('stays if a change is rejected', async () => {
    const log = givenLog();
    await append(log);
    const before = await counterOf(log);
    const check = { TableName: tableNames.carts, Key: { id: randomUUID() } };
    const writes = [{ ConditionCheck: { ...check, ConditionExpression: 'attribute_exists(id)' } }];
    const event = cartEvent({ type: 'cart.completed', cart: waitingCart(log), cause: 'payment' });
    const appended = await eventLogOf(database).append(log, { event, writes });
    expect(appended).toMatchObject({ outcome: 'rejected' });
    expect(await counterOf(log)).toStrictEqual(before);
  });
});
