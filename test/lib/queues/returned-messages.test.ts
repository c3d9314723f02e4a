import { ChangeMessageVisibilityBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { returnMessages } from '../../../lib/queues/returned-messages.ts';

it('received messages return, each after its delay', async () => {
  const client = new SQSClient({ region: 'local' });
  const mock = mockClient(client).on(ChangeMessageVisibilityBatchCommand).resolves({});
  await returnMessages(client, 'https://sqs.invalid/1/queue', [
    { receiptHandle: 'r0', delaySeconds: 2 },
    { receiptHandle: 'r1', delaySeconds: 300 },
  ]);
  const [call] = mock.commandCalls(ChangeMessageVisibilityBatchCommand);
  expect(call?.args[0].input).toStrictEqual({
    QueueUrl: 'https://sqs.invalid/1/queue',
    Entries: [
      { Id: '0', ReceiptHandle: 'r0', VisibilityTimeout: 2 },
      { Id: '1', ReceiptHandle: 'r1', VisibilityTimeout: 300 },
    ],
  });
});
