import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { EVENT_USE } from '../../../infra/cost/aws-use.ts';
import { deliverBatch } from '../../../lib/deliveries/deliver-batch.ts';
import { drainRequestOf, type QueueMessage } from '../../../lib/deliveries/queue/queue-message.ts';
import { endpointKey } from '../../../lib/endpoints/endpoint-item.ts';
import type { EndpointRef } from '../../../lib/endpoints/endpoint.ts';
import { recordUnits } from '../../support/database/consumed-units.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { givenReceiver, processOn } from '../../support/functions/delivery.ts';

interface Call {
  readonly operation: string;
  readonly units: number;
}

const database = await givenDatabase();
let calls: Call[] = [];
recordUnits(database.documents, ({ operation, table, units }) => {
  const [kind] = Object.entries(database.tableNames).find(([, name]) => name === table) ?? [];
  calls.push({ operation: `${operation.replace(/(?:Items?)?$/, 'Item')} ${kind ?? 'several'}`, units });
});

const byOperation = (made: readonly Call[]): readonly Call[] =>
  made.toSorted((a, b) => a.operation.localeCompare(b.operation));

/** Delivers by a process that knows the secret already. Returns the receiver, and the calls of the last delivery. */
const givenDelivery = async (statusOf: () => number, failures: number) => {
  const receiver = await givenReceiver(database, (response) => void response.writeHead(statusOf()).end('ok'));
  const service = processOn(database);
  const deliver = async (messages: readonly QueueMessage[]): Promise<void> => {
    const results = await deliverBatch(messages, service, { lane: 'slow', mayStart: () => true });
    for (const result of results.values()) expect(result).toBeTypeOf('string');
  };
  await service.findSecret(receiver.endpoint);
  await deliver(receiver.givenMessages(failures));
  calls = [];
  await deliver(receiver.givenMessages(1));
  const { endpoint, givenMessages } = receiver;
  return { endpoint, calls: byOperation(calls), deliver, givenMessages };
};

/** Removes attributes of an endpoint. */
const remove = async (endpoint: EndpointRef, names: string): Promise<void> => {
  const { webhookEndpoints: TableName } = database.tableNames;
  const command = { TableName, Key: endpointKey(endpoint), UpdateExpression: `REMOVE ${names}` };
  await database.documents.send(new UpdateCommand(command));
};

const callsOf = async (status: number, failures: number): Promise<readonly Call[]> =>
  (await givenDelivery(() => status, failures)).calls;

const SENT = [
  // An event of up to 4 KB.
  { operation: 'GetItem events', units: 1 },
  { operation: 'UpdateItem deliveries', units: 1 },
  { operation: 'UpdateItem webhookEndpoints', units: 1 },
  { operation: 'UpdateItem webhookEndpoints', units: 1 },
];

it('a delivery that succeeds at once consumes three write units and a read unit', async () => {
  expect(await callsOf(200, 0)).toStrictEqual(SENT);
  expect(EVENT_USE.delivery).toMatchObject({ writes: 3, reads: 1 });
});

it('an attempt that fails consumes three write units and a read unit', async () => {
  expect(await callsOf(500, 0)).toStrictEqual(SENT);
});

it('an attempt that disables its endpoint consumes six write units and a read unit more', async () => {
  // The first event of the log creates its counter.
  const { endpoint, deliver, givenMessages } = await givenDelivery(() => 410, 0);
  await remove(endpoint, 'disabled');
  calls = [];
  await deliver(givenMessages(1));
  expect(byOperation(calls)).toStrictEqual([
    SENT[0],
    { operation: 'GetItem events', units: 1 },
    { operation: 'TransactWriteItem several', units: 6 },
    ...SENT.slice(1),
  ]);
});

it('a delivery that is parked consumes four write units besides the failed condition, and no read unit', async () => {
  const parked = await callsOf(500, 5);
  // A failed condition consumes a unit too, which the response does not show.
  expect(parked).toStrictEqual([
    { operation: 'BatchWriteItem deliveries', units: 1 },
    { operation: 'UpdateItem deliveries', units: 1 },
    { operation: 'UpdateItem webhookEndpoints', units: 2 },
  ]);
});

it('a drain consumes four write and three read units for each delivery, and two and one more at its end', async () => {
  let status = 500;
  const { endpoint, deliver } = await givenDelivery(() => status, 5);
  await remove(endpoint, 'failures, probeAtMs');
  status = 200;
  calls = [];
  await deliver([drainRequestOf(endpoint)]);
  const sent = [
    { operation: 'DeleteItem deliveries', units: 1 },
    { operation: 'GetItem deliveries', units: 1 },
    { operation: 'QueryItem deliveries', units: 1 },
    ...SENT,
  ];
  const end = [
    { operation: 'QueryItem deliveries', units: 1 },
    { operation: 'UpdateItem webhookEndpoints', units: 1 },
    { operation: 'UpdateItem webhookEndpoints', units: 1 },
  ];
  expect(byOperation(calls)).toStrictEqual(byOperation([...sent, ...end]));
});
