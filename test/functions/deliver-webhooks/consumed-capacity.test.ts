import { expect, it } from 'vitest';
import { deliverBatch } from '../../../lib/webhooks/deliver-batch.ts';
import type { DeliveryMessage } from '../../../lib/webhooks/delivery.ts';
import { recordUnits } from '../../support/consumed-units.ts';
import { givenDatabase } from '../../support/database.ts';
import { givenReceiver, serviceOn } from './receivers.ts';

interface Call {
  readonly operation: string;
  readonly units: number;
}

const database = await givenDatabase();
let calls: Call[] = [];
recordUnits(database.documents, ({ operation, table, units }) => {
  const [kind] = Object.entries(database.tableNames).find(([, name]) => name === table) ?? [];
  calls.push({ operation: `${operation.replace(/(?:Item)?$/, 'Item')} ${kind}`, units });
});

/** Delivers by a process that knows the secret already, and returns its calls. */
const callsOf = async (status: number, failures: number): Promise<readonly Call[]> => {
  const receiver = await givenReceiver(database, (response) => void response.writeHead(status).end('ok'));
  const service = serviceOn(database);
  const deliver = async (messages: readonly DeliveryMessage[]): Promise<void> => {
    for (const result of await deliverBatch(messages, service)) expect(result).toBeTypeOf('string');
  };
  await service.findSecret(receiver.endpoint);
  await deliver(receiver.givenMessages(failures));
  calls = [];
  await deliver(receiver.givenMessages(1));
  return calls.toSorted((a, b) => a.operation.localeCompare(b.operation));
};

const SENT = [
  // An event of up to 4 KB.
  { operation: 'GetItem events', units: 1 },
  { operation: 'UpdateItem deliveries', units: 1 },
  { operation: 'UpdateItem webhookEndpoints', units: 1 },
  { operation: 'UpdateItem webhookEndpoints', units: 1 },
];

it('a delivery that succeeds at once consumes three write units and a read unit', async () => {
  expect(await callsOf(200, 0)).toStrictEqual(SENT);
});

it('an attempt that fails consumes three write units and a read unit', async () => {
  expect(await callsOf(500, 0)).toStrictEqual(SENT);
});

it('a delivery that is parked consumes four write units besides the failed condition, and one read unit', async () => {
  const parked = await callsOf(500, 5);
  // A failed condition consumes a unit too, which the response does not show.
  expect(parked).toStrictEqual([
    { operation: 'GetItem events', units: 1 },
    { operation: 'PutItem deliveries', units: 1 },
    { operation: 'UpdateItem deliveries', units: 1 },
    { operation: 'UpdateItem webhookEndpoints', units: 2 },
  ]);
});
