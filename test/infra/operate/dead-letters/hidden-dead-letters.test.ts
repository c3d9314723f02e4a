import { randomUUID } from 'node:crypto';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { localClientConfig, localQueueUrl } from '../../../../infra/local-access/local-names.ts';
import { startAwsEndpoint } from '../../../../infra/local/aws/aws-endpoint.ts';
import { createEventPaths } from '../../../../infra/local/aws/event-paths.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { operate } from '../../../support/operators/operate.ts';

// The queues of the local stage hide, count and release messages as SQS does, by a clock that the tests advance.

/** A command holds a message for so long. */
const HOLD_SECONDS = 240;

let clock: ManualClock;
let eventPaths: ReturnType<typeof createEventPaths>;
let endpoint: string;
/** Called before each receive. */
let onReceive: () => void;

beforeEach(async () => {
  const database = await givenDatabase();
  const localStateTable = randomUUID();
  await prepareTable(database.documents, localStateTable, LOCAL_STATE_TABLE);
  clock = manualClock();
  onReceive = () => undefined;
  eventPaths = createEventPaths({ ...database, localStateTable, print: () => undefined, now: clock.now });
  const aws = await startAwsEndpoint(inject('dynamodbEndpoint'), (target, input) => {
    if (target.endsWith('.ReceiveMessage')) onReceive();
    return eventPaths.actions(target, input);
  });
  onTestFinished(aws.close);
  endpoint = aws.url;
});

const queueUrl = (): string => localQueueUrl(endpoint, 'paymentDeadLetter');

const putLetters = async (count: number): Promise<void> => {
  for (let sent = 0; sent < count; sent += 1)
    await eventPaths.actions('AmazonSQS.SendMessage', { QueueUrl: queueUrl(), MessageBody: 'no JSON' });
};

/** The messages of a command that was killed. */
const holdAll = async (): Promise<void> => {
  const sqs = new SQSClient({ ...localClientConfig(endpoint), useQueueUrlAsEndpoint: false });
  const poll = { QueueUrl: queueUrl(), MaxNumberOfMessages: 10, WaitTimeSeconds: 1 };
  await sqs.send(new ReceiveMessageCommand({ ...poll, VisibilityTimeout: HOLD_SECONDS }));
};

const hiddenNow = async (): Promise<string> => {
  const { Attributes } = (await eventPaths.actions('AmazonSQS.GetQueueAttributes', {
    QueueUrl: queueUrl(),
  })) as { Attributes: Record<string, string> };
  return Attributes['ApproximateNumberOfMessagesNotVisible']!;
};

const run = (words: readonly string[], stop?: AbortSignal) =>
  operate(['dead-letters', ...words, '--dynamodb', endpoint], {
    now: clock.now,
    ...(stop !== undefined && { stop }),
  });

interface Listed {
  readonly deadLetters: readonly object[];
  readonly hidden?: readonly { readonly count: number }[];
}

const untilText = (): string => new Date(clock.now() + 1_000 * HOLD_SECONDS).toISOString();

/** A failure with `--json`. */
const asJson = (message: string): string =>
  `${JSON.stringify({ error: { exitCode: 1, message: message.trim() } })}\n`;

const warning = (): string =>
  '3 dead letters of payments may be missing: another command had them when this one began. ' +
  `They are visible again at ${untilText().slice(11, 19)} UTC at the latest: repeat the command then.\n`;

describe('letters that another command has', () => {
  test.each([
    [['list'], 'No dead letter is visible.\n', { deadLetters: [] }],
    [
      ['redrive', '--yes'],
      'Redriven: 0. Kept, because the stage would reject them again: 0.\n',
      { redriven: 0, left: 0 },
    ],
    [['remove', '--verdict', 'malformedEvent', '--yes'], 'Removed 0 dead letters.\n', { removed: 0 }],
  ])('are named by %j, which fails', async (words, stdout, json) => {
    await putLetters(3);
    await holdAll();
    expect(await run(words)).toStrictEqual({ exitCode: 1, stdout, stderr: warning() });
    const ended = await run([...words, '--json']);
    expect(ended).toMatchObject({ exitCode: 1, stderr: asJson(warning()) });
    const hidden = [{ queue: 'payments', count: 3, until: untilText() }];
    expect(JSON.parse(ended.stdout)).toStrictEqual({ ...json, hidden });
  });

  test('are listed when the time that the message names is over', async () => {
    await putLetters(3);
    await holdAll();
    clock.advance(HOLD_SECONDS - 1);
    expect(await run(['list'])).toMatchObject({ exitCode: 1 });
    clock.advance(1);
    const { exitCode, stdout } = await run(['list', '--json']);
    expect({ exitCode, listed: JSON.parse(stdout) as Listed }).toMatchObject({
      exitCode: 0,
      listed: { deadLetters: [{}, {}, {}] },
    });
  });

  test('are named by both of two commands that begin at the same time', async () => {
    await putLetters(45);
    const ended = await Promise.all([run(['list', '--json']), run(['list', '--json'])]);
    let listed = 0;
    for (const { exitCode, stdout } of ended) {
      const { deadLetters, hidden = [] } = JSON.parse(stdout) as Listed;
      const named = hidden.reduce((sum, { count }) => sum + count, 0);
      listed += deadLetters.length;
      expect(deadLetters.length + named).toBeGreaterThanOrEqual(45);
      expect(exitCode).toBe(named > 0 ? 1 : 0);
    }
    expect(listed).toBeGreaterThanOrEqual(45);
    expect(await hiddenNow()).toBe('0');
  });
});

test('Ctrl-C releases the letters at once, and says so', async () => {
  await putLetters(25);
  const stop = new AbortController();
  let receives = 0;
  onReceive = () => {
    receives += 1;
    if (receives === 2) stop.abort();
  };
  const ended = await run(['list', '--json'], stop.signal);
  expect(ended).toMatchObject({
    exitCode: 1,
    stderr: asJson('Interrupted: the dead letters that the command has read are visible again.'),
  });
  expect((JSON.parse(ended.stdout) as Listed).deadLetters).toHaveLength(20);
  expect(await hiddenNow()).toBe('0');
});

test('the status of a local stage counts them', async () => {
  await putLetters(3);
  await holdAll();
  const ended = await operate(['status', '--dynamodb', endpoint, '--json'], { now: clock.now });
  expect(ended).toMatchObject({ exitCode: 1, stderr: asJson('The stage local needs a person: 1 check.') });
  const { checks } = JSON.parse(ended.stdout) as { checks: { check: string }[] };
  expect(checks).toHaveLength(8);
  expect(checks[0]).toStrictEqual({
    check: 'dead letters of payments',
    result: 'look',
    remark: '3: `dead-letters list --queue payments`. Another command has 3 of them',
  });
});
