import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { Queue } from '../../../../infra/local/aws/queue.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { ThrottledError } from '../../../../lib/aws/errors.ts';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';
import { aroundCalls, type Call } from '../../../support/database/client-calls.ts';
import { givenDatabase } from '../../../support/database/database.ts';

const VISIBILITY_SECONDS = 36;
const RECEIVES_MAX = 3;

let documents: DocumentClient;
let localStateTable: string;
let clock: ManualClock;
let failures: unknown[];

beforeEach(async () => {
  ({ documents } = await givenDatabase());
  localStateTable = randomUUID();
  await prepareTable(documents, localStateTable, LOCAL_STATE_TABLE);
  clock = manualClock();
  failures = [];
});

const failuresIn = ({ Records }: SQSEvent, fails: (body: string) => boolean): SQSBatchResponse => ({
  batchItemFailures: Records.filter(({ body }) => fails(body)).map(({ messageId }) => ({
    itemIdentifier: messageId,
  })),
});

const throwDefect = (): never => {
  throw new Error('A defect');
};

/**
 * A process with the queue. The message group is the part of a body before a `#`.
 *
 * @param respond plays the function. By default, it handles each message
 */
const givenProcess = (
  respond: (event: SQSEvent) => SQSBatchResponse | Promise<SQSBatchResponse> = () => ({
    batchItemFailures: [],
  }),
  { concurrency = 1, batchSize = 10 } = {},
) => {
  /** Each batch that the function got: the bodies with their receive counts, in alphabetical order. */
  const batches: string[][] = [];
  const queue = new Queue({
    name: 'payments',
    documents,
    localStateTable,
    now: clock.now,
    random: () => 0,
    invoke: async (event) => {
      const { Records } = event;
      const texts = Records.map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`);
      batches.push(texts.toSorted());
      return respond(event);
    },
    batchSize,
    concurrency,
    visibilitySeconds: VISIBILITY_SECONDS,
    receivesMax: RECEIVES_MAX,
    reportFailure: (error) => failures.push(error),
  });
  return {
    queue,
    batches,
    send: (bodies: readonly string[], delaySeconds = 0) =>
      queue.send(bodies.map((body) => ({ body, delaySeconds, groupId: body.split('#', 1)[0] }))),
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
  it('has up to its size of the visible messages, of any group', async () => {
    const { send, settle, batches } = givenProcess(undefined, { batchSize: 8 });
    const bodies = Array.from({ length: 12 }, (_, index) => `${index < 6 ? 'a' : 'b'}#${index}`);
    await send(bodies.slice(0, 6), 1);
    await send(bodies.slice(6), 1);
    clock.advance(1);
    await settle();
    // A batch of eight has messages of both.
    expect(batches.map(({ length }) => length)).toEqual([8, 4]);
    expect(batches.flat().toSorted()).toEqual(bodies.map((body) => `${body} 1`).toSorted());
    expect(await batchesOfNext()).toEqual([]);
  });

  it('names its queue, and when each message was sent and first received, also when it returns', async () => {
    const got: (readonly string[])[] = [];
    const { send, settle } = givenProcess(({ Records: [record] }) => {
      const { eventSourceARN, attributes } = record!;
      const { SentTimestamp, ApproximateFirstReceiveTimestamp } = attributes;
      got.push([eventSourceARN, SentTimestamp, ApproximateFirstReceiveTimestamp]);
      return throwDefect();
    });
    const sentAtMs = clock.now();
    // The last part of the ARN is the name in the queue's address.
    const arn = expect.stringMatching(/^arn:aws:sqs:.*:payments$/) as unknown;
    const expected = [arn, `${sentAtMs}`, `${sentAtMs + 5_000}`];
    await send(['a#1'], 5);
    for (const seconds of [5, VISIBILITY_SECONDS]) {
      clock.advance(seconds);
      await settle();
    }
    expect(got).toEqual([expected, expected]);
  });

  it('that fails in part returns its failed messages alone, after the visibility timeout', async () => {
    const { send, settle, batches } = givenProcess((event) => failuresIn(event, (body) => body === 'a#bad'));
    await send(['a#good', 'a#bad']);
    await settle();
    clock.advance(VISIBILITY_SECONDS - 0.001);
    await settle();
    expect(batches).toEqual([['a#bad 1', 'a#good 1']]);
    clock.advance(0.001);
    await settle();
    expect(batches.slice(1)).toEqual([['a#bad 2']]);
  });

  it.each<[string, () => SQSBatchResponse]>([
    ['whose function throws', throwDefect],
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
      const earlier = event.Records.find(({ body }) => body === 'a#2');
      queue.changeVisibility(earlier?.receiptHandle ?? '', 2);
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

it('a message that always fails blocks no other, and is delivered no more, with a report', async () => {
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

it('a group that hangs takes every invocation, because SQS caps no group; a closed queue starts no others', async () => {
  const hung = Promise.withResolvers<SQSBatchResponse>();
  const { queue, send, batches } = givenProcess(() => hung.promise, { concurrency: 3 });
  for (let index = 0; index < 4; index += 1) await send(Array.from({ length: 10 }, () => 'hangs#'));
  await send(['healthy#']);
  expect(batches.flat()).toEqual(Array.from({ length: 30 }, () => 'hangs# 1'));
  const closed = queue.close();
  hung.resolve({ batchItemFailures: [] });
  await closed;
  // The other messages stay.
  expect(batches).toHaveLength(3);
  expect((await batchesOfNext()).flat().toSorted()).toEqual([
    ...Array.from({ length: 10 }, () => 'hangs# 1'),
    'healthy# 1',
  ]);
});

it('a message whose function takes longer than the visibility timeout is delivered once more', async () => {
  const slow = Promise.withResolvers<SQSBatchResponse>();
  const { queue, send, settle, batches } = givenProcess(() => slow.promise, { concurrency: 2 });
  await send(['a#1']);
  clock.advance(VISIBILITY_SECONDS);
  void queue.poll();
  expect(batches).toEqual([['a#1 1'], ['a#1 2']]);
  slow.resolve({ batchItemFailures: [] });
  await settle();
  expect(await batchesOfNext()).toEqual([]);
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
