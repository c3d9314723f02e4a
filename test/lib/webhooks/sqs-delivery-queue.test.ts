import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { isOutage } from '../../../lib/core/errors.ts';
import type { DeliveryMessage } from '../../../lib/webhooks/delivery.ts';
import { createSqsDeliveryQueue } from '../../../lib/webhooks/sqs-delivery-queue.ts';

const URL = 'https://sqs.invalid/1/deliveries';

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
  return { client, mock, queue: createSqsDeliveryQueue(client, URL, pauses) };
};

const message = (eventId: string): DeliveryMessage => ({
  endpoint: { storeId: 's', mode: 'test', endpointId: 'we_1' },
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

it('sends whole messages, ten per call, with the delay', async () => {
  const given = givenQueue();
  await given.queue.send(messages(23), 7);
  expect(callsOf(given).map(({ length }) => length)).toStrictEqual([10, 10, 3]);
  const [first] = given.mock.commandCalls(SendMessageBatchCommand);
  expect(first?.args[0].input).toMatchObject({
    QueueUrl: URL,
    Entries: expect.arrayContaining([
      { Id: '0', MessageBody: JSON.stringify(message('evt_0')), DelaySeconds: 7 },
    ]),
  });
});

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
  expect(isOutage(error)).toBe(true);
  expect(callsOf(given)).toHaveLength(3);
});

it('has an outage if the response is empty', async () => {
  const given = givenQueue();
  given.mock.on(SendMessageBatchCommand).resolves({});
  await expect(given.queue.send(messages(1))).rejects.toThrow('The queue did not accept the whole batch');
});

it('sends a message only once that SQS rejects', async () => {
  const given = givenQueue();
  given.mock
    .on(SendMessageBatchCommand)
    .resolves({ Failed: [{ Id: '0', Code: 'InvalidMessageContents', SenderFault: true }] });
  const error = await given.queue.send(messages(1)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: 'The queue rejects the message: InvalidMessageContents' });
  expect(isOutage(error)).toBe(false);
  expect(callsOf(given)).toHaveLength(1);
});
