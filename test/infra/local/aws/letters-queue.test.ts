import { randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { Queue } from '../../../../infra/local/aws/queue.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { manualClock } from '../../../support/clock.ts';
import { givenDatabase } from '../../../support/database/database.ts';

/** A queue that no function reads, such as one of dead letters. */
const givenLetters = async () => {
  const { documents } = await givenDatabase();
  const localStateTable = randomUUID();
  await prepareTable(documents, localStateTable, LOCAL_STATE_TABLE);
  const clock = manualClock();
  const common = {
    documents,
    localStateTable,
    now: clock.now,
    random: () => 0,
    batchSize: 10,
    visibilitySeconds: 30,
    reportFailure: () => undefined,
  };
  const start = async (): Promise<Queue> => {
    const invoke = () => Promise.reject(new Error('No function reads the queue'));
    const queue = new Queue({
      ...common,
      name: 'dead-letters',
      invoke,
      concurrency: 0,
      receivesMax: Infinity,
    });
    await queue.load();
    return queue;
  };
  const letters = await start();
  return { clock, common, start, letters };
};

it('a message that its function returns too often becomes a dead letter, with its id and its time', async () => {
  const { clock, common, start, letters } = await givenLetters();
  const fail = async ({ Records }: SQSEvent) => ({
    batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
  });
  const more = { name: 'payments', concurrency: 1, receivesMax: 3, deadLetters: letters };
  const payments = new Queue({ ...common, ...more, invoke: fail });
  const sentAtMs = clock.now();
  const [id] = await payments.send([{ body: 'bad', delaySeconds: 0 }]);
  for (let receives = 1; receives <= 3; receives += 1) {
    expect(letters.counts().visible).toBe(0);
    await payments.poll();
    clock.advance(30);
  }
  expect(payments.counts()).toEqual({ visible: 0, inFlight: 0 });
  // Also after a restart.
  for (const queue of [letters, await start()])
    expect(queue.receive(10, undefined, 1)).toMatchObject([{ message: { id, body: 'bad', sentAtMs } }]);
});

it('a queue without a function hides, counts and deletes its messages as SQS does', async () => {
  const { clock, start, letters } = await givenLetters();
  await letters.send(['a', 'b', 'c'].map((body) => ({ body, delaySeconds: 0 })));
  const [first, second] = letters.receive(2, 240, 1);
  expect(letters.counts()).toEqual({ visible: 1, inFlight: 2 });
  await letters.delete([first!.receiptHandle]);
  clock.advance(240);
  // Its time is over: SQS deletes nothing.
  await letters.delete([second!.receiptHandle]);
  expect(letters.counts()).toEqual({ visible: 2, inFlight: 0 });
  expect((await start()).counts()).toEqual({ visible: 2, inFlight: 0 });
});

it('a short poll may find no message, a long one finds all', async () => {
  const { letters } = await givenLetters();
  await letters.send([{ body: 'a', delaySeconds: 0 }]);
  expect(letters.receive(10, undefined, 0)).toEqual([]);
  expect(letters.receive(10, undefined, 1)).toHaveLength(1);
});
