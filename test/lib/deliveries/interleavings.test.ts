import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { givenDatabase } from '../../support/database/database.ts';
import { createTurns, exploreAll } from './interleavings.ts';

const { documents, tableNames } = await givenDatabase(['products']);
const TableName = tableNames.products;
const turns = createTurns(documents);

/** A process with a number of steps. */
const stepper = (steps: number) => {
  const step = turns.step('step', async () => undefined);
  return async (): Promise<void> => {
    for (let made = 0; made < steps; made += 1) await step();
  };
};

it.each([
  [[3, 4], 35],
  [[5, 5], 252],
  [[0, 3], 1],
  [[2, 2, 2], 90],
])('processes of %j steps have %i orders, each once', async (steps, count) => {
  const seen = new Set<string>();
  const orders = await exploreAll(async (choose) => {
    const order: string[] = [];
    const note: typeof choose = (waiting) => {
      const index = choose(waiting);
      order.push(waiting[index] ?? '');
      return index;
    };
    await turns.run(note, ...steps.map(stepper));
    seen.add(order.join());
  });
  expect([orders, seen.size]).toStrictEqual([count, count]);
});

/** A counter in the database that two processes increment, each by a read and a write. */
const givenCounter = () => {
  const Key = { id: randomUUID() };
  const read = async () =>
    Number(
      (await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item?.['count'] ?? 0,
    );
  const increment = async (): Promise<void> => {
    const count = (await read()) + 1;
    await documents.send(new PutCommand({ TableName, Item: { ...Key, count } }));
  };
  return { read, increment };
};

it('a lost update is found, and the report has the order of its steps', async () => {
  let kept = 0;
  const orders = await exploreAll(async (choose) => {
    const { read, increment } = givenCounter();
    await turns.run(choose, increment, increment);
    if ((await read()) === 2) kept += 1;
  });
  // The orders in which one process follows the other.
  expect([orders, kept]).toStrictEqual([6, 2]);

  const exploring = exploreAll(async (choose) => {
    const { read, increment } = givenCounter();
    await turns.run(choose, increment, increment);
    expect(await read()).toBe(2);
  });
  await expect(exploring).rejects.toThrow(
    [
      'Order 1 of the steps:',
      '  1 increment: GetItem products',
      '  2 increment: GetItem products',
      '  1 increment: PutItem products',
      '  2 increment: PutItem products',
    ].join('\n'),
  );
});

it('an error of a process is reported after the others have ended, and does not affect a later run', async () => {
  const { read, increment } = givenCounter();
  const fail = turns.step('fail', () => Promise.reject(new RangeError('rejected')));
  await expect(exploreAll((choose) => turns.run(choose, fail, increment))).rejects.toThrow(RangeError);
  expect(await read()).toBe(1);
});

it('a test that repeats the same order with other steps is rejected', async () => {
  let runs = 0;
  const exploring = exploreAll(async (choose) => {
    runs += 1;
    await turns.run(
      choose,
      stepper(1),
      turns.step(`step of run ${runs}`, async () => undefined),
    );
  });
  await expect(exploring).rejects.toThrow('The same order now has the steps');
});

it('too many orders are rejected', async () => {
  const exploring = exploreAll((choose) => turns.run(choose, stepper(3), stepper(3)), { ordersMax: 19 });
  await expect(exploring).rejects.toThrow('There are more than 19 orders');
});
