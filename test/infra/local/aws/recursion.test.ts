import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { expect, it, onTestFinished, vi } from 'vitest';
import { localClientConfig, localQueueUrl } from '../../../../infra/local-access/local-names.ts';
import { startAwsEndpoint } from '../../../../infra/local/aws/aws-endpoint.ts';
import type { EventHandlers } from '../../../../infra/local/aws/event-functions.ts';
import { createEventPaths } from '../../../../infra/local/aws/event-paths.ts';
import { ROUNDS_MAX, roundOf } from '../../../../infra/local/aws/recursion.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { givenDatabase } from '../../../support/database/database.ts';

const CHAIN = 2 * ROUNDS_MAX;

/** Event paths whose functions send each message back to its queue as the next number, up to {@link CHAIN}. */
const givenChains = async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'local');
  const database = await givenDatabase(['stores']);
  const localStateTable = randomUUID();
  await prepareTable(database.documents, localStateTable, LOCAL_STATE_TABLE);
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);
  const eventPaths = createEventPaths({ ...database, localStateTable, print, now: Date.now });
  onTestFinished(() => eventPaths.close());
  const aws = await startAwsEndpoint(database.endpoint, eventPaths.actions);
  onTestFinished(() => aws.close());
  const sqs = new SQSClient(localClientConfig(aws.url));
  onTestFinished(() => sqs.destroy());
  const send = (queue: 'payments' | 'delivery', MessageBody: string) =>
    sqs.send(new SendMessageCommand({ QueueUrl: localQueueUrl(aws.url, queue), MessageBody }));
  const countOn = (queue: 'payments' | 'delivery') => {
    const counted: number[] = [];
    const handler = async ({ Records }: SQSEvent) => {
      for (const { body } of Records) {
        counted.push(Number(body));
        if (Number(body) < CHAIN) await send(queue, String(Number(body) + 1));
      }
      return { batchItemFailures: [] };
    };
    return { counted, handler };
  };
  const [payments, deliveries] = [countOn('payments'), countOn('delivery')];
  const handlers = {
    'record-payment': payments.handler,
    'deliver-webhooks': deliveries.handler,
    'run-timers': async () => undefined,
  };
  await eventPaths.start(handlers as unknown as EventHandlers);
  return { send, payments: payments.counted, deliveries: deliveries.counted, printed };
};

const upTo = (max: number): number[] => Array.from({ length: max }, (_, index) => index + 1);

it('a chain of invocations by a queue ends after sixteen, unless its function allows recursion', async () => {
  const { send, payments, deliveries, printed } = await givenChains();
  // At the same time: each invocation has its own round.
  await Promise.all([send('payments', '1'), send('delivery', '1')]);
  await expect.poll(() => deliveries, { interval: 5 }).toEqual(upTo(CHAIN));
  await expect.poll(() => printed, { interval: 5 }).toEqual([expect.stringContaining('recursive loop')]);
  expect(payments).toEqual(upTo(ROUNDS_MAX));
});

it.each([
  [undefined, 0],
  ['Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1', 0],
  ['Root=1-5759e988-bd862e3fe1be46a994272793;Lineage=7;Sampled=1', 7],
])('the trace header %s is of round %d', (header, round) => {
  expect(roundOf(header)).toBe(round);
});
