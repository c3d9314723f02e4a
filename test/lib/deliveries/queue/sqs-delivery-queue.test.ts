import { setImmediate } from 'node:timers/promises';
import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { isRetryable } from '../../../../lib/aws/errors.ts';
import type { DeliveryMessage } from '../../../../lib/deliveries/queue/queue-message.ts';
import { queueOf, type QueueUrls } from '../../../../lib/deliveries/queue/queue-urls.ts';
import { createSqsDeliveryQueue } from '../../../../lib/deliveries/queue/sqs-delivery-queue.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';

const URLS: QueueUrls = {
  live: { quick: 'https://sqs.invalid/1/deliveries', slow: 'https://sqs.invalid/1/slow-deliveries' },
  test: {
    quick: 'https://sqs.invalid/1/test-deliveries',
    slow: 'https://sqs.invalid/1/slow-test-deliveries',
  },
};

type Fault = 'failed' | 'unconfirmed' | undefined;

/** A queue of SQS with a fault for each entry of a call. By default, it accepts all. */
const givenQueue = (faultOf: (id: string, call: number) => Fault = () => undefined) => {
  const client = new SQSClient({ region: 'local' });
  const mock = mockClient(client);
  let calls = 0;
  mock.on(SendMessageBatchCommand).callsFake(({ Entries = [] }: SendMessageBatchCommandInput) => {
    calls += 1;
    const withFault = (fault: Fault) => Entries.filter(({ Id = '' }) => faultOf(Id, calls) === fault);
    return {
      Successful: withFault(undefined).map(({ Id }) => ({ Id, MessageId: 'm' })),
      Failed: withFault('failed').map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })),
    };
  });
  const pauses = { sleep: async () => undefined, random: () => 0.5 };
  return { client, mock, queue: createSqsDeliveryQueue(client, URLS, pauses) };
};

const message = (eventId: string, mode: Mode = 'test', storeId = 's'): DeliveryMessage => ({
  endpoint: { storeId, mode, endpointId: 'we_1' },
  eventId,
  type: 'cart.completed',
  recordedAtMs: 1,
  attempt: 1,
  sequence: 1,
});

const messages = (count: number) => Array.from({ length: count }, (_, index) => message(`evt_${index}`));

/** The event ids of each call. */
const callsOf = ({ mock }: ReturnType<typeof givenQueue>): string[][] =>
  mock
    .commandCalls(SendMessageBatchCommand)
    .map(({ args: [{ input }] }) =>
      (input.Entries ?? []).map(
        ({ MessageBody = '' }) => (JSON.parse(MessageBody) as DeliveryMessage).eventId,
      ),
    );

it('sends whole messages, ten per call, with the delay, which each message also has', async () => {
  const given = givenQueue();
  await given.queue.send(messages(23), { delaySeconds: 7 });
  expect(callsOf(given).map(({ length }) => length)).toStrictEqual([10, 10, 3]);
  const [first] = given.mock.commandCalls(SendMessageBatchCommand);
  expect(first?.args[0].input).toMatchObject({
    QueueUrl: URLS.test.slow,
    Entries: expect.arrayContaining([
      {
        Id: '0',
        MessageBody: JSON.stringify({ ...message('evt_0'), delaySeconds: 7 }),
        MessageGroupId: 's',
        DelaySeconds: 7,
      },
    ]),
  });
});

it.each(['quick', 'slow'] as const)(
  'sends each message to the %s queue of its mode, ten per call and queue, in the message group of its store',
  async (lane) => {
    const given = givenQueue();
    const sent = Array.from({ length: 24 }, (_, index) => {
      const mode = index % 2 === 0 ? 'live' : 'test';
      return message(`evt_${index}`, mode, `store-${index % 3}`);
    });
    await given.queue.send(sent, { lane });
    const calls = given.mock.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input);
    for (const mode of ['live', 'test'] as const) {
      const batches = calls
        .filter(({ QueueUrl }) => QueueUrl === URLS[mode][lane])
        .map(({ Entries = [] }) => Entries);
      expect(batches.map(({ length }) => length)).toStrictEqual([10, 2]);
      expect(
        batches
          .flat()
          .map(({ MessageBody = '', MessageGroupId }) => [JSON.parse(MessageBody), MessageGroupId]),
      ).toStrictEqual(
        sent.filter(({ endpoint }) => endpoint.mode === mode).map((each) => [each, each.endpoint.storeId]),
      );
    }
    expect(calls).toHaveLength(4);
  },
);

it('sends nothing for no messages', async () => {
  const given = givenQueue();
  await given.queue.send([]);
  expect(callsOf(given)).toStrictEqual([]);
});

it.each(['failed', 'unconfirmed'] as const)('sends messages that are %s again', async (fault) => {
  const given = givenQueue((id, call) =>
    call < 3 && id !== '1' && (call < 2 || id === '2') ? fault : undefined,
  );
  await given.queue.send(messages(3));
  expect(callsOf(given)).toStrictEqual([['evt_0', 'evt_1', 'evt_2'], ['evt_0', 'evt_2'], ['evt_2']]);
});

it.each(['failed', 'unconfirmed'] as const)('has an outage if a message is %s three times', async (fault) => {
  const given = givenQueue(() => fault);
  const error = await given.queue.send(messages(1)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: 'The queue did not accept the whole batch' });
  expect(isRetryable(error)).toBe(true);
  expect(callsOf(given)).toHaveLength(3);
});

it('has an outage if the response is empty', async () => {
  const given = givenQueue();
  given.mock.on(SendMessageBatchCommand).resolves({});
  await expect(given.queue.send(messages(1))).rejects.toThrow('The queue did not accept the whole batch');
});

it('has no call in flight after an error', async () => {
  const given = givenQueue();
  const slow = Promise.withResolvers<object>();
  given.mock
    .on(SendMessageBatchCommand)
    .rejectsOnce(new Error('down'))
    .callsFake(async () => slow.promise);
  let error: unknown;
  const sent = given.queue.send(messages(11)).catch((thrown: unknown) => (error = thrown));
  await setImmediate();
  expect(callsOf(given)).toHaveLength(2);
  expect(error).toBeUndefined();
  slow.resolve({ Successful: [{ Id: '0' }] });
  await sent;
  expect(error).toMatchObject({ message: 'down' });
});

it('sends a message only once that SQS rejects', async () => {
  const given = givenQueue();
  given.mock
    .on(SendMessageBatchCommand)
    .resolves({ Failed: [{ Id: '0', Code: 'InvalidMessageContents', SenderFault: true }] });
  const error = await given.queue.send(messages(1)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: 'The queue rejects the message: InvalidMessageContents' });
  expect(isRetryable(error)).toBe(false);
  expect(callsOf(given)).toHaveLength(1);
});

it.each([
  ['deliveries', 'live', 'quick'],
  ['slow-deliveries', 'live', 'slow'],
  ['test-deliveries', 'test', 'quick'],
  ['slow-test-deliveries', 'test', 'slow'],
] as const)('finds the queue %s', (name, mode, lane) => {
  const found = queueOf(`arn:aws:sqs:eu-west-1:123456789012:${name}`, URLS);
  expect(found).toStrictEqual({ queueUrl: URLS[mode][lane], mode, lane });
});

it('does not find an unknown queue', () => {
  const arn = 'arn:aws:sqs:eu-west-1:123456789012:ies';
  expect(() => queueOf(arn, URLS)).toThrow('knows no address of the queue ies');
});
