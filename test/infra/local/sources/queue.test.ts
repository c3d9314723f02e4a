import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { SOURCES_TABLE } from '../../../../infra/local/local-database.ts';
import { prepareTable } from '../../../../infra/local/prepare-table.ts';
import { Queue } from '../../../../infra/local/sources/queue.ts';
import type { Documents } from '../../../../lib/core/documents.ts';
import { ThrottledError } from '../../../../lib/core/errors.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';
import { givenDatabase } from '../../../support/database.ts';
import { aroundCalls, type Call } from '../../../support/documents.ts';

const VISIBILITY_SECONDS = 36;
const RECEIVES_MAX = 3;

let documents: Documents;
let sourcesTable: string;
let clock: ManualClock;
let failures: unknown[];

beforeEach(async () => {
  ({ documents } = await givenDatabase([]));
  sourcesTable = randomUUID();
  await prepareTable(documents, sourcesTable, SOURCES_TABLE);
  clock = manualClock();
  failures = [];
});

const failuresIn = ({ Records }: SQSEvent, fails: (body: string) => boolean): SQSBatchResponse => ({
  batchItemFailures: Records.filter(({ body }) => fails(body)).map(({ messageId }) => ({
    itemIdentifier: messageId,
  })),
});

/**
 * A process with the queue. The group of a message is the part of its body before a `#`.
 *
 * @param respond plays the function. By default, it handles each message
 */
const givenProcess = (
  respond: (event: SQSEvent) => SQSBatchResponse | Promise<SQSBatchResponse> = () => ({
    batchItemFailures: [],
  }),
  { concurrency = 1, concurrencyOfGroup = 1 } = {},
) => {
  /** Each batch that the function got: the bodies with their receive counts. */
  const batches: string[][] = [];
  const queue = new Queue({
    name: 'payments',
    documents,
    sourcesTable,
    now: clock.now,
    invoke: async (event) => {
      const { Records } = event;
      batches.push(Records.map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`));
      return respond(event);
    },
    concurrency,
    groupOf: (body) => body.split('#', 1)[0] ?? '',
    concurrencyOfGroup,
    visibilitySeconds: VISIBILITY_SECONDS,
    receivesMax: RECEIVES_MAX,
    reportFailure: (error) => failures.push(error),
  });
  return {
    queue,
    batches,
    send: (bodies: readonly string[], delaySeconds = 0) =>
      queue.send(bodies.map((body) => ({ body, delaySeconds }))),
    /** Waits until the function has all messages that are visible now. */
    settle: async (): Promise<void> => {
      let invocations: number;
      do invocations = (await queue.poll()).length;
      while (invocations > 0);
    },
  };
};

/** The batches that a new process gets. */
const batchesOfNext = async (): Promise<readonly string[][]> => {
  const next = givenProcess();
  await next.queue.load();
  await next.settle();
  return next.batches;
};

describe('a batch', () => {
  it('has up to ten messages of one group, in their order. Groups take turns', async () => {
    const { send, settle, batches } = givenProcess();
    const own = Array.from({ length: 12 }, (_, index) => `a#${index}`);
    await send(own.slice(0, 10), 1);
    await send([...own.slice(10), 'b#0'], 1);
    clock.advance(1);
    await settle();
    const counted = own.map((body) => `${body} 1`);
    expect(batches).toEqual([counted.slice(0, 10), ['b#0 1'], counted.slice(10)]);
    expect(await batchesOfNext()).toEqual([]);
  });

  it('that fails in part returns its failed messages alone, after the visibility timeout', async () => {
    const { send, settle, batches } = givenProcess((event) => failuresIn(event, (body) => body === 'a#bad'));
    await send(['a#good', 'a#bad']);
    await settle();
    clock.advance(VISIBILITY_SECONDS - 0.001);
    await settle();
    expect(batches).toEqual([['a#good 1', 'a#bad 1']]);
    clock.advance(0.001);
    await settle();
    expect(batches.slice(1)).toEqual([['a#bad 2']]);
  });

  it.each<[string, () => SQSBatchResponse]>([
    [
      'whose function throws',
      () => {
        throw new Error('A defect');
      },
    ],
    ['whose response names no message of it', () => ({ batchItemFailures: [{ itemIdentifier: 'other' }] })],
  ])('%s returns as a whole', async (_, respond) => {
    const { send, settle, batches } = givenProcess(respond);
    await send(['a#1', 'a#2']);
    await settle();
    clock.advance(VISIBILITY_SECONDS);
    await settle();
    expect(batches).toEqual([
      ['a#1 1', 'a#2 1'],
      ['a#1 2', 'a#2 2'],
    ]);
  });

  it('with a message that the function has made visible earlier returns this one then', async () => {
    const { queue, send, settle, batches } = givenProcess((event) => {
      queue.changeVisibility(event.Records.at(-1)?.receiptHandle ?? '', 2);
      return failuresIn(event, () => true);
    });
    await send(['a#1', 'a#2']);
    await settle();
    clock.advance(1.999);
    await settle();
    expect(batches).toHaveLength(1);
    clock.advance(0.001);
    await settle();
    expect(batches).toEqual([['a#1 1', 'a#2 1'], ['a#2 2']]);
  });
});

it('a message that always fails blocks no other, and is dropped with a report', async () => {
  const { send, settle, batches } = givenProcess((event) => failuresIn(event, (body) => body === 'a#bad'));
  await send(['a#bad']);
  for (let round = 1; round <= RECEIVES_MAX + 1; round += 1) {
    await send([`a#good${round}`]);
    await settle();
    clock.advance(VISIBILITY_SECONDS);
  }
  const texts = batches.flat();
  expect(texts.filter((text) => text.startsWith('a#good'))).toHaveLength(RECEIVES_MAX + 1);
  expect(texts.filter((text) => text.startsWith('a#bad'))).toEqual(['a#bad 1', 'a#bad 2', 'a#bad 3']);
  expect(failures.map(String)).toEqual([expect.stringContaining(`failed ${RECEIVES_MAX} times`)]);
  expect(await batchesOfNext()).toEqual([]);
});

it('a group that hangs has its share of the invocations, and delays no other', async () => {
  const hung = Promise.withResolvers<SQSBatchResponse>();
  const { queue, send, batches } = givenProcess(
    ({ Records }) => (Records[0]?.body.startsWith('hangs') ? hung.promise : { batchItemFailures: [] }),
    { concurrency: 3, concurrencyOfGroup: 2 },
  );
  for (let index = 0; index < 4; index += 1) await send(Array.from({ length: 10 }, () => 'hangs#'));
  await send(Array.from({ length: 10 }, (_, index) => `healthy-${index}#`));
  await expect.poll(() => batches.filter(([text]) => text?.startsWith('healthy')).length).toBe(10);
  expect(batches.filter(([text]) => text?.startsWith('hangs'))).toHaveLength(2);
  const closed = queue.close();
  hung.resolve({ batchItemFailures: [] });
  await closed;
  // It starts no others, and their messages stay.
  expect(batches.filter(([text]) => text?.startsWith('hangs'))).toHaveLength(2);
  expect((await batchesOfNext()).flat()).toHaveLength(20);
});

it('a delayed message is visible when its delay is over, also in a later process', async () => {
  const { send, settle, batches } = givenProcess();
  await send(['a#1'], 900);
  clock.advance(899.999);
  await settle();
  expect(batches).toEqual([]);
  expect(await batchesOfNext()).toEqual([]);
  clock.advance(0.001);
  await settle();
  expect(batches).toEqual([['a#1 1']]);
});

it('a message whose process was killed while its function had it is visible at the next start', async () => {
  const killed = givenProcess(() => new Promise(() => undefined));
  await killed.send(['a#1']);
  await expect.poll(() => killed.batches.length).toBe(1);
  expect(await batchesOfNext()).toEqual([['a#1 1']]);
});

it('a message that cannot be stored is not sent, and one that cannot be deleted returns', async () => {
  const { send, settle, batches } = givenProcess();
  const down = () => {
    throw new Error('The database does not respond');
  };
  const throttled = ({ input }: Call) => Promise.resolve({ UnprocessedItems: input['RequestItems'] });
  let respond: ((call: Call) => Promise<Record<string, unknown>>) | undefined = down;
  aroundCalls(documents, (call, next) => (respond ? respond(call) : next(call.input)));
  await expect(send(['a#1'])).rejects.toThrow('The database does not respond');
  respond = throttled;
  await expect(send(['a#1'])).rejects.toThrow(ThrottledError);
  respond = undefined;
  await settle();
  expect(batches).toEqual([]);

  await send(['a#2'], 1);
  respond = down;
  clock.advance(1);
  await settle();
  respond = undefined;
  expect([batches, failures.map(String)]).toEqual([[['a#2 1']], ['Error: The database does not respond']]);
  clock.advance(VISIBILITY_SECONDS);
  await settle();
  expect(batches).toEqual([['a#2 1'], ['a#2 2']]);
  expect(await batchesOfNext()).toEqual([]);
});
