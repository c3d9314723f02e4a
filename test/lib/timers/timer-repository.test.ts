import { randomUUID } from 'node:crypto';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  createTimerRepository,
  type DueItem,
  type TimerRepository,
} from '../../../lib/timers/timer-repository.ts';
import { timerOf, shardsOf } from '../../../lib/timers/timer.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenTimers } from './timers.ts';

const TIMER = 'expiry#03';

const dueOf = async (repository: TimerRepository, untilMs = NOW_MS, timer = TIMER): Promise<DueItem[]> => {
  const found: DueItem[] = [];
  for await (const page of repository.due(timer, untilMs)) found.push(...page);
  return found;
};

describe('a timer', () => {
  it('is one of the eight of its kind, and always the same for an id', () => {
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    const used = new Set(ids.map((id) => timerOf('expiry', id, NOW_MS).timer));

    expect([...used].toSorted()).toStrictEqual(shardsOf('expiry'));
    // Stored items have these texts.
    expect(shardsOf('expiry')).toStrictEqual([0, 1, 2, 3, 4, 5, 6, 7].map((index) => `expiry#0${index}`));
    expect(timerOf('retry', 'we_1', 5)).toStrictEqual(timerOf('retry', 'we_1', 5));
  });
});

describe('due items', () => {
  it('are those of one timer until a time, the earliest first, with nothing but their keys', async () => {
    const { wait, repository } = await givenTimers();
    const [, second, first] = await wait(
      { timer: TIMER, timerAtMs: NOW_MS + 1 },
      { timer: TIMER, timerAtMs: NOW_MS },
      { timer: TIMER, timerAtMs: NOW_MS - 1 },
      { timer: 'expiry#04', timerAtMs: NOW_MS - 1 },
    );

    expect(await dueOf(repository)).toStrictEqual([
      { key: { id: first }, timer: TIMER, timerAtMs: NOW_MS - 1 },
      { key: { id: second }, timer: TIMER, timerAtMs: NOW_MS },
    ]);
  });

  it('come in pages of 100, whose largest carts fit the memory of a run', async () => {
    const { wait, repository } = await givenTimers();
    await wait(...Array.from({ length: 101 }, (_, index) => ({ timer: TIMER, timerAtMs: NOW_MS - index })));

    const pages: number[] = [];
    for await (const page of repository.due(TIMER, NOW_MS)) pages.push(page.length);

    expect(pages).toStrictEqual([100, 1]);
  });
});

describe.each([
  {
    change: 'clear',
    run: (repository: TimerRepository, item: DueItem) => repository.clear(item),
    after: undefined,
  },
  {
    change: 'postpone',
    run: (repository: TimerRepository, item: DueItem) => repository.postpone(item, NOW_MS + 60_000),
    after: { timer: TIMER, timerAtMs: NOW_MS + 60_000 },
  },
])('$change', ({ run, after }) => {
  const givenItem = async () => {
    const timers = await givenTimers();
    const [id = ''] = await timers.wait({ timer: TIMER, timerAtMs: NOW_MS });
    const [item] = await dueOf(timers.repository);
    return { ...timers, id, item: item as DueItem };
  };

  it('changes the timer of the item', async () => {
    const { repository, stored, id, item } = await givenItem();
    await run(repository, item);
    expect(await stored()).toStrictEqual({ [id]: after });
  });

  it('fails with the error of DynamoDB', async () => {
    const { documents, item } = await givenItem();
    const lost = createTimerRepository(documents, `${randomUUID()}-lost`);
    await expect(run(lost, item)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('does not bring back an item that was deleted', async () => {
    const { documents, tableName, repository, stored, id, item } = await givenItem();
    await documents.send(new DeleteCommand({ TableName: tableName, Key: { id } }));
    await run(repository, item);
    expect(await stored()).toStrictEqual({});
  });

  it.each([
    { timer: TIMER, timerAtMs: NOW_MS + 1 },
    { timer: 'erasure#03', timerAtMs: NOW_MS },
  ])('leaves an item that has another timer by now: %j', async (other) => {
    const { documents, tableName, repository, stored, id, item } = await givenItem();
    const update = new UpdateCommand({
      TableName: tableName,
      Key: { id },
      UpdateExpression: 'SET timer = :timer, timerAtMs = :at',
      ExpressionAttributeValues: { ':timer': other.timer, ':at': other.timerAtMs },
    });
    await documents.send(update);
    await run(repository, item);
    expect(await stored()).toStrictEqual({ [id]: other });
  });
});
