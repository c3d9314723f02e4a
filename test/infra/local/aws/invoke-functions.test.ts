import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { expect, it, onTestFinished } from 'vitest';
import { FUNCTIONS } from '../../../../functions/function-needs.ts';
import { createEventPaths, TIMES_MS } from '../../../../infra/local/aws/event-paths.ts';
import { type EventHandlers, observeRecorders } from '../../../../infra/local/aws/invoke-functions.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import type { Handler } from '../../../../infra/local/gateway/invocation.ts';
import { toEventItem } from '../../../../lib/events/event-item.ts';
import { createOperatorStoreRepository } from '../../../../lib/operators/operator-store-repository.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { event } from '../../../support/domain/logged-events.ts';

it('the functions that may record events are observed, also when they fail', async () => {
  const observed: string[] = [];
  let name = '';
  const handler: Handler<never, void> = async () => {
    throw new Error('The function died');
  };
  const handlers = Object.fromEntries([...Object.keys(FUNCTIONS), 'receiver'].map((each) => [each, handler]));
  for (const [each, run] of Object.entries(observeRecorders(handlers, () => observed.push(name)))) {
    name = each;
    await expect(run({} as never, {} as Context)).rejects.toThrow('The function died');
  }
  expect(observed.toSorted()).toEqual([
    'deliver-webhooks',
    'expire-cart',
    'record-payment',
    'run-timers',
    'sandbox-checkout',
    'webhook-endpoints',
  ]);
});

it('a sweep finds an event that another process recorded', async () => {
  const { documents, tableNames } = await givenDatabase();
  const localStateTable = randomUUID();
  await prepareTable(documents, localStateTable, LOCAL_STATE_TABLE);
  const timesMs = { ...TIMES_MS, sweep: 10 };
  const options = { documents, tableNames, localStateTable, now: Date.now, timesMs };
  const eventPaths = createEventPaths({ ...options, print: () => undefined });
  const passed: unknown[] = [];
  const fanOut = async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    passed.push(...Records.map(({ dynamodb }) => dynamodb?.NewImage?.['id']?.S));
    return { batchItemFailures: [] };
  };
  const handlers = { 'fan-out-events': fanOut, 'run-timers': async () => undefined };
  await eventPaths.start(handlers as unknown as EventHandlers);
  onTestFinished(() => eventPaths.close());
  const stored = event(1);
  const { storeId } = stored;
  await createOperatorStoreRepository(documents, tableNames.stores).put({
    id: storeId,
    name: storeId,
    createdAtMs: 0,
  });
  await documents.send(new PutCommand({ TableName: tableNames.events, Item: toEventItem(stored) }));
  await expect.poll(() => passed, { interval: 5 }).toEqual([stored.id]);
});
