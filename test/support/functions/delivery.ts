import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { onTestFinished } from 'vitest';
import {
  type DeliverDependencies,
  createDeliverDependencies,
} from '../../../lib/deliveries/deliver-dependencies.ts';
import {
  type DeliveryMessage,
  deliveryMessageOf,
  type QueueMessage,
} from '../../../lib/deliveries/queue/queue-message.ts';
import { createSender } from '../../../lib/deliveries/sending/send.ts';
import type { WebhookEndpoint } from '../../../lib/endpoints/endpoint.ts';
import { toEventItem } from '../../../lib/events/event-item.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import { manualClock, NOW_MS } from '../clock.ts';
import type { TestDatabase, TestTables } from '../database/database.ts';
import { newEndpoint, storeEndpoint } from '../domain/endpoints.ts';

// The time stands. Otherwise, a lease could end on a machine that stalls.
const { now } = manualClock();

/** The dependencies of a process of the function, on a test's tables. By default, it sends over real HTTP to this machine. */
export const processOn = (
  { documents, tableNames }: TestTables,
  parts: Partial<Pick<DeliverDependencies, 'send' | 'now'>> = {},
): DeliverDependencies =>
  createDeliverDependencies(
    documents,
    {
      webhookEndpointsTable: tableNames.webhookEndpoints,
      secretsTable: tableNames.secrets,
      deliveriesTable: tableNames.deliveries,
      eventsTable: tableNames.events,
    },
    {
      queue: { send: async () => undefined },
      send: createSender({ allowsLoopback: true }),
      now,
      ...parts,
    },
  );

/** Events of an endpoint's log, as many as one call stores. Their bodies have 2 KB. */
const eventsOf = ({ storeId }: WebhookEndpoint): LoggedEvent[] =>
  Array.from({ length: 25 }, (_, index) => {
    const id = `evt_${randomUUID().replaceAll('-', '')}`;
    const type = 'cart.completed';
    const body = JSON.stringify({ id, type, timestamp: '', data: { meta: 'x'.repeat(2_000) } });
    const sequence = index + 1;
    // A function that runs by the machine's clock reads it, too.
    const recordedAtMs = Date.now() + sequence;
    return {
      storeId,
      mode: 'test',
      sequence,
      id,
      type,
      cartId: 'c',
      recordedAtMs,
      body,
    };
  });

/** An endpoint whose receiver runs on this machine. */
export const givenReceiver = async (
  { documents, tableNames }: TestDatabase,
  respond: (response: ServerResponse) => void = (response) => void response.end(),
) => {
  const ids: string[] = [];
  let inFlight = 0;
  let inFlightMax = 0;
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']));
    inFlight += 1;
    inFlightMax = Math.max(inFlightMax, inFlight);
    response.on('close', () => (inFlight -= 1));
    respond(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const endpoint = newEndpoint({ url: `http://127.0.0.1:${port}/hook`, createdAtMs: now() });
  await storeEndpoint({ documents, tableNames }, endpoint);
  const events = eventsOf(endpoint);
  const requests = events.map((event) => ({ PutRequest: { Item: toEventItem(event) } }));
  await documents.send(new BatchWriteCommand({ RequestItems: { [tableNames.events]: requests } }));
  let given = 0;
  return {
    endpoint,
    /** The ids of the events that arrived. */
    ids,
    inFlightMax: () => inFlightMax,
    /** The messages of the next events, at most 25 in all. */
    givenMessages(count: number): DeliveryMessage[] {
      given += count;
      return events.slice(given - count, given).map((event) => deliveryMessageOf(endpoint, event));
    },
  };
};

export const QUEUE_ARN = 'arn:aws:sqs:eu-west-1:123456789012:slow-deliveries';

/** A record of SQS. `waitedMs`: from its sending to its first receive. */
export const recordOf = (message: QueueMessage | string, receiveCount = 1, waitedMs = 0): SQSRecord => {
  const id = randomUUID();
  return {
    messageId: id,
    receiptHandle: `receipt-${id}`,
    body: typeof message === 'string' ? message : JSON.stringify(message),
    eventSourceARN: QUEUE_ARN,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      ApproximateFirstReceiveTimestamp: String(NOW_MS),
      SentTimestamp: String(NOW_MS - waitedMs),
    },
  } as SQSRecord;
};

export const batchOf = (Records: SQSRecord[]): SQSEvent => ({ Records });
