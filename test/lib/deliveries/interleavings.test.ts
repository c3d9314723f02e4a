import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { givenDatabase } from '../../support/database/database.ts';
import { createTurns, exploreAll } from './support/interleavings.ts';

const { documents, tableNames } = await givenDatabase(['products', 'events', 'carts']);
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
      order.push(waiting[index]?.name ?? '');
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
  // Of the four orders with both reads first, two differ. In two others, one process follows the other.
  expect([orders, kept]).toStrictEqual([4, 2]);

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

const ITEM = fc.constantFrom('a', 'b');
/** `mayEnd`: ends its branch if the item has been written. */
const STEP = fc.record({ item: ITEM, writes: fc.boolean(), mayEnd: fc.boolean() });
const anyBranch = (maxLength: number) => fc.array(STEP, { maxLength });

/** The parts of each process, one after the other. The branches of a part run together. */
const anyProcesses = fc.oneof(
  fc.array(fc.tuple(fc.tuple(anyBranch(3))), { minLength: 2, maxLength: 3 }),
  fc.tuple(
    fc.tuple(fc.tuple(anyBranch(1)), fc.tuple(anyBranch(2), anyBranch(1)), fc.tuple(anyBranch(1))),
    fc.tuple(fc.tuple(anyBranch(2))),
  ),
);

it('orders that are left out have the results of others', async () => {
  await fc.assert(
    fc.asyncProperty(anyProcesses, async (processes) => {
      /** The results of all orders: the values that each branch has seen. A write adds its branch to the end of an item. */
      const resultsOf = async (hasFootprints: boolean) => {
        const results = new Set<string>();
        const orders = await exploreAll(async (choose) => {
          const items: Record<string, string> = { a: '', b: '' };
          const seen = processes.map((parts) => parts.flat().map((): string[] => []));
          const runs = processes.map((parts, process) => async () => {
            const all = parts.flat();
            const ofBranch = async (steps: (typeof all)[number]): Promise<void> => {
              const branch = all.indexOf(steps);
              for (const { item, writes, mayEnd } of steps) {
                const footprint = hasFootprints ? { paths: [item], writes } : undefined;
                const call = async () => {
                  const found = items[item];
                  if (writes) items[item] += `${process}${branch} `;
                  seen[process]?.[branch]?.push(items[item] ?? '');
                  return found !== '';
                };
                if ((await turns.step('step', call, footprint)()) && mayEnd) return;
              }
            };
            for (const branches of parts) await Promise.all(branches.map(ofBranch));
          });
          await turns.run(choose, ...runs);
          results.add(JSON.stringify([items, seen]));
        });
        return { results, orders };
      };
      const all = await resultsOf(false);
      const some = await resultsOf(true);
      expect(some.results).toStrictEqual(all.results);
      // Two orders that differ have different results here.
      expect(some.orders).toBe(all.results.size);
    }),
    { numRuns: 60 },
  );
});

const KEY = { log: 'test#shop', sequence: 1 };
const PUT = new PutCommand({ TableName: tableNames.events, Item: KEY });
const queryOf = (log: string, IndexName?: string) =>
  new QueryCommand({
    TableName: IndexName === undefined ? tableNames.events : tableNames.carts,
    ...(IndexName !== undefined && { IndexName }),
    KeyConditionExpression: IndexName === undefined ? '#key = :key AND #sort > :sort' : '#key = :key',
    ExpressionAttributeNames:
      IndexName === undefined ? { '#key': 'log', '#sort': 'sequence' } : { '#key': 'timer' },
    ExpressionAttributeValues: IndexName === undefined ? { ':key': log, ':sort': 0 } : { ':key': log },
  });

it.each<[string, number, () => Promise<unknown>, () => Promise<unknown>]>([
  [
    'two reads of an item',
    1,
    () => documents.send(new GetCommand({ TableName: tableNames.events, Key: KEY })),
    () => documents.send(new GetCommand({ TableName: tableNames.events, Key: KEY })),
  ],
  [
    'a write of an item, and a read of another one',
    1,
    () => documents.send(PUT),
    () => documents.send(new GetCommand({ TableName: tableNames.events, Key: { ...KEY, sequence: 2 } })),
  ],
  [
    'a write of an item, and a read of it',
    2,
    () => documents.send(PUT),
    () => documents.send(new GetCommand({ TableName: tableNames.events, Key: KEY })),
  ],
  [
    'a write of an item, and a query of its partition',
    2,
    () => documents.send(PUT),
    () => documents.send(queryOf('test#shop')),
  ],
  [
    'a write of an item, and a query of another partition',
    1,
    () => documents.send(PUT),
    () => documents.send(queryOf('test#other')),
  ],
  [
    'a write of an item, and a query of an index of its table',
    2,
    () => documents.send(new PutCommand({ TableName: tableNames.carts, Item: { id: 'cart' } })),
    () => documents.send(queryOf('expiry#00', 'timers')),
  ],
  [
    'a write of an item, and a transaction with it',
    2,
    () => documents.send(PUT),
    () =>
      documents.send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName: tableNames.carts, Item: { id: 'cart' } } },
            {
              Update: {
                TableName: tableNames.events,
                Key: KEY,
                UpdateExpression: 'SET #a = :a',
                ExpressionAttributeNames: { '#a': 'a' },
                ExpressionAttributeValues: { ':a': 1 },
              },
            },
          ],
        }),
      ),
  ],
])('%s have %i orders', async (_, count, first, second) => {
  expect(await exploreAll((choose) => turns.run(choose, first, second))).toBe(count);
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
