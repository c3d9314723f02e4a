import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local-access/local-names.ts';
import { paymentTablesOf } from '../../../../infra/stage/tables.ts';
import { createDocumentClient } from '../../../../lib/aws/clients.ts';
import { cartEvent } from '../../../../lib/carts/cart-event.ts';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import { deliverBatch } from '../../../../lib/deliveries/deliver-batch.ts';
import { createDeliverDependencies } from '../../../../lib/deliveries/deliver-dependencies.ts';
import { createEndpointSink } from '../../../../lib/deliveries/queue/endpoint-sink.ts';
import type { QueueMessage } from '../../../../lib/deliveries/queue/queue-message.ts';
import { createSender } from '../../../../lib/deliveries/sending/send.ts';
import { createEndpointRepository } from '../../../../lib/endpoints/endpoint-repository.ts';
import { createBusSink } from '../../../../lib/events/bus-sink.ts';
import { toEventItem } from '../../../../lib/events/event-item.ts';
import { fanOut } from '../../../../lib/events/fan-out.ts';
import { logEvent } from '../../../../lib/events/logged-event.ts';
import { createPaymentRepositories } from '../../../../lib/payments/payment-record-repository.ts';
import { recordPayment } from '../../../../lib/payments/record-payment.ts';
import { findStoreName } from '../../../../lib/stores/store-name.ts';
import { createStoreRepository } from '../../../../lib/stores/store-repository.ts';
import { type ConsumedUnits, isWrite, recordUnits } from '../../../support/database/consumed-units.ts';
import { cartBody } from '../../../support/domain/cart-body.ts';
import { expiryJobOf, handleExpired } from '../../../support/domain/expiries.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';
import { startWebhookReceiver } from '../../../support/http/webhook-receiver.ts';
import { cartIdOf } from '../../../support/service/http-client.ts';
import { composeService } from '../../../support/service/service.ts';
import { serve } from '../support/worker.ts';
import { createShops } from '../webhooks/shops.ts';

/** Prepares a measurement. Returns the function to measure. */
type Run = () => Promise<() => Promise<unknown>>;

/** The calls and units of one change, event, delivery or request. */
export interface Consumption {
  readonly calls: number;
  readonly writes: number;
  readonly reads: number;
}

/** As many abandonments of a store as share a transaction. */
const ABANDONED = 49;
const ABANDONMENTS = `abandonment, of ${ABANDONED}`;

const documentsOf = (
  endpoint: string,
): { documents: DynamoDBDocumentClient; take: () => ConsumedUnits[] } => {
  const documents = createDocumentClient(localClientConfig(endpoint));
  const calls: ConsumedUnits[] = [];
  recordUnits(documents, (call) => calls.push(call));
  return { documents, take: () => calls.splice(0) };
};

/** The requests of merchants, and the changes of carts. Each function prepares a change or a request, and returns it. */
const cartRuns = async (
  endpoint: string,
  documents: DynamoDBDocumentClient,
): Promise<Record<string, Run>> => {
  const service = composeService({ endpoint, documents, tableNames: LOCAL_TABLE_NAMES });
  const { clock } = service;
  const apiKey = await service.givenKey({ limit: 1_000 });
  const productId = await service.givenProduct();
  const tables = paymentTablesOf(LOCAL_TABLE_NAMES);
  const { test: repositories } = createPaymentRepositories(documents, tables, clock);
  const create = async (): Promise<string> =>
    cartIdOf(await service.createCart(cartBody(productId, { meta: { order: 'A-1' } }), { apiKey }));
  const pay = (cartId: string, result: 'succeeded' | 'failed') => {
    const paid = payment({ occurredAtMs: clock.now(), result });
    return recordPayment({ cartId, mode: 'test', payment: paid }, repositories);
  };
  const givenAbandoned = async (): Promise<readonly string[]> => {
    const carts = Array.from({ length: ABANDONED }, () => waitingCart({ mode: 'test' }));
    await Promise.all(carts.map((cart) => service.carts.test.create(cart)));
    clock.advance(86_400);
    return carts.map(({ id }) => id);
  };
  // The first creation reads the stage's secret. The first event of a log needs one more check.
  await pay(await create(), 'succeeded');
  return {
    creation: async () => create,
    retrieval: async () => {
      const cartId = await create();
      return () => service.getCart(cartId, { apiKey });
    },
    'payment that succeeds': async () => {
      const cartId = await create();
      return () => pay(cartId, 'succeeded');
    },
    'payment that fails': async () => {
      const cartId = await create();
      return () => pay(cartId, 'failed');
    },
    [ABANDONMENTS]: async () => {
      const cartIds = await givenAbandoned();
      const work = expiryJobOf({ documents, tableNames: LOCAL_TABLE_NAMES }, clock.now, 'test');
      return () => handleExpired(work, cartIds);
    },
    'page of 50 events': async () => () => service.send('listEvents', { apiKey, query: { limit: '50' } }),
  };
};

/** The fan-out and the delivery of an event, to a receiver on this machine. */
const eventRuns = async (documents: DocumentClient, receiverUrl: string): Promise<Record<string, Run>> => {
  const { stores: storesTable, webhookEndpoints: webhookEndpointsTable } = LOCAL_TABLE_NAMES;
  const { events: eventsTable } = LOCAL_TABLE_NAMES;
  const { secrets: secretsTable, deliveries: deliveriesTable } = LOCAL_TABLE_NAMES;
  const tables = { webhookEndpointsTable, secretsTable, deliveriesTable, eventsTable };
  const [shop] = await createShops(documents, receiverUrl, 1);
  const stores = createStoreRepository(documents, storesTable);
  const endpoints = createEndpointRepository(documents, webhookEndpointsTable);
  const cart = waitingCart({ storeId: shop!.storeId, mode: 'test' });
  const event = logEvent(cartEvent({ type: 'cart.completed', cart, cause: 'payment' }), 1, Date.now());
  const Item = toEventItem(event);
  await documents.send(new PutCommand({ TableName: eventsTable, Item }));
  const messages: QueueMessage[] = [];
  const bus = { put: async () => undefined };
  const queue = { send: async (sent: readonly QueueMessage[]) => void messages.push(...sent) };
  const delivery = createDeliverDependencies(documents, tables, {
    queue,
    send: createSender({ allowsLoopback: true }),
    now: Date.now,
  });
  return {
    'fan-out of an event': async () => () =>
      fanOut(
        [event],
        [
          createBusSink(bus, (storeId) => findStoreName(stores, storeId)),
          createEndpointSink(queue, (log) => endpoints.listOf(log)),
        ],
      ),
    delivery: async () => {
      // A process reads it once.
      await delivery.findSecret(shop!);
      return () => deliverBatch(messages, delivery, { lane: 'slow', mayStart: () => true });
    },
  };
};

/** Measures the operations of the service in this process, on items below 1 KB. */
const measure = async (endpoint: string): Promise<Readonly<Record<string, Consumption>>> => {
  const { documents, take } = documentsOf(endpoint);
  const receiver = await startWebhookReceiver(() => undefined);
  const runs = { ...(await cartRuns(endpoint, documents)), ...(await eventRuns(documents, receiver.url)) };
  const measured: Record<string, Consumption> = {};
  for (const [name, prepare] of Object.entries(runs)) {
    const run = await prepare();
    take();
    await run();
    const calls = take();
    if (calls.length === 0) throw new Error(`${name} made no call`);
    const count = name === ABANDONMENTS ? ABANDONED : 1;
    const sum = (of: (call: ConsumedUnits) => boolean): number =>
      calls.filter(of).reduce((total, { units }) => total + units, 0) / count;
    const reads = sum((call) => !isWrite(call));
    measured[name] = { calls: calls.length / count, writes: sum(isWrite), reads };
  }
  await receiver.close();
  return measured;
};

serve(({ endpoint }: { readonly endpoint: string }) => measure(endpoint));
