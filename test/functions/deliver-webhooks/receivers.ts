import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { onTestFinished } from 'vitest';
import { createDueStore } from '../../../lib/due/due-store.ts';
import type { LoggedEvent } from '../../../lib/events/store-event.ts';
import type { BatchDependencies } from '../../../lib/webhooks/deliver-batch.ts';
import { createDeliveryService } from '../../../lib/webhooks/delivery-service.ts';
import { type DeliveryMessage, deliveryMessageOf } from '../../../lib/webhooks/delivery.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { generateEndpointId, type WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { createSecretStore } from '../../../lib/webhooks/secret-store.ts';
import { createSender } from '../../../lib/webhooks/send.ts';
import { manualClock } from '../../support/clock.ts';
import type { TestDatabase } from '../../support/database.ts';

// The time stands. Otherwise, a lease could end on a machine that stalls.
const { now } = manualClock();

/** The dependencies of a process of the function, on a test's tables. It sends over real HTTP to this machine. */
export const serviceOn = ({ documents, tableNames }: TestDatabase): BatchDependencies =>
  createDeliveryService(
    documents,
    {
      storesTable: tableNames.stores,
      webhookEndpointsTable: tableNames.webhookEndpoints,
      secretsTable: tableNames.secrets,
      deliveriesTable: tableNames.deliveries,
      dueTable: tableNames.due,
    },
    {
      queue: { send: async () => undefined },
      due: createDueStore(documents, tableNames.due, now),
      bus: { put: async () => undefined },
      send: createSender({ allowsLoopback: true }),
      now,
    },
  );

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
  const endpoint: WebhookEndpoint = {
    storeId: `store-${randomUUID()}`,
    mode: 'test',
    endpointId: generateEndpointId(),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    createdAtMs: now(),
  };
  await createSecretStore(documents, tableNames.secrets, now).create(endpoint.endpointId);
  await createEndpointStore(documents, tableNames.webhookEndpoints).create(endpoint);
  let sequence = 0;
  return {
    endpoint,
    /** The ids of the events that arrived. */
    ids,
    inFlightMax: () => inFlightMax,
    givenMessages: (count: number): DeliveryMessage[] =>
      Array.from({ length: count }, () => {
        sequence += 1;
        const id = `evt_${randomUUID().replaceAll('-', '')}`;
        const event: LoggedEvent = {
          storeId: endpoint.storeId,
          mode: 'test',
          sequence,
          id,
          type: 'cart.completed',
          cartId: 'c',
          recordedAtMs: 1_700_000_000_000 + sequence,
          body: JSON.stringify({ id, type: 'cart.completed' }),
        };
        return deliveryMessageOf(endpoint, event);
      }),
  };
};

/** A record of SQS. */
export const recordOf = (message: DeliveryMessage | string, receiveCount = 1): SQSRecord => {
  const id = randomUUID();
  return {
    messageId: id,
    receiptHandle: `receipt-${id}`,
    body: typeof message === 'string' ? message : JSON.stringify(message),
    attributes: { ApproximateReceiveCount: String(receiveCount) },
  } as SQSRecord;
};

export const batchOf = (Records: SQSRecord[]): SQSEvent => ({ Records });
