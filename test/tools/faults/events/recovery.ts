import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../../../infra/local/gateway/listen.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local/local-database.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { Payment } from '../../../../lib/carts/payment.ts';
import { createDocumentClient } from '../../../../lib/aws.ts';
import type { Documents } from '../../../../lib/core/documents.ts';
import { inParallel } from '../../../../lib/core/in-parallel.ts';
import { inParts } from '../../../../lib/core/in-parts.ts';
import { createEventStore } from '../../../../lib/events/event-store.ts';
import type { LogId } from '../../../../lib/events/store-event.ts';
import { createEndpointStore } from '../../../../lib/webhooks/endpoint-store.ts';
import { startService, stopProcesses } from '../../../support/processes.ts';
import { benchCart } from '../../bench/support/items.ts';
import { createPaymentSide } from './payment-side.ts';
import { readFeed } from './reader.ts';
import type { BrokenRule } from './rules.ts';
import { createEndpoint, issueKey, storeCarts } from './stored.ts';

/** Batches of payment events at the same time. */
const BATCHES_AT_ONCE = 10;
const BATCH_SIZE = 10;

const RECORDED_POLL_MS = 200;

/** An address of this machine at which no server listens. */
const deadAddress = async (): Promise<string> => {
  const server = createServer();
  const port = await listen(server, '127.0.0.1', 0);
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
};

const paymentOf = ({ price }: Cart, occurredAtMs: number): Payment => ({
  ...price,
  eventId: randomUUID(),
  paymentId: randomUUID(),
  result: 'succeeded',
  occurredAtMs,
});

/** The numbers of a log are dense. */
const countEvents = async (documents: Documents, log: LogId): Promise<number> => {
  const events = createEventStore(documents, LOCAL_TABLE_NAMES.events);
  const [first] = (await events.after(log, 0, 1)).events;
  const last = await events.last(log);
  return first && last ? last.sequence - first.sequence + 1 : 0;
};

/** Why a reader did not recover every cart. */
const findMissing = (
  carts: readonly Cart[],
  completed: readonly string[],
  requests: number,
): BrokenRule[] => {
  const found = new Set(completed);
  const missing = carts.filter(({ id }) => !found.has(id));
  const requestsMax = Math.ceil(carts.length / 100) + 1;
  return [
    ...missing.map(({ id }) => ({
      rule: 'the feed has each completed cart',
      detail: `cart ${id} is missing`,
    })),
    ...(completed.length === found.size
      ? []
      : [{ rule: 'the feed has each event once', detail: `${completed.length - found.size} repetitions` }]),
    ...(requests <= requestsMax
      ? []
      : [{ rule: `${requestsMax} requests suffice`, detail: `it took ${requests}` }]),
  ];
};

/**
 * Completes carts while their only endpoint is down, and then recovers all of them by the feed alone.
 *
 * @param count the number of carts
 */
export const runRecovery = async (
  cleanUp: AsyncDisposableStack,
  count: number,
  print: (line: string) => void,
): Promise<BrokenRule[]> => {
  cleanUp.defer(stopProcesses);
  const stage = await startService();
  const documents = createDocumentClient(localClientConfig(stage.dynamodbEndpoint));
  cleanUp.defer(() => documents.destroy());
  const nowMs = Date.now();
  const carts = Array.from({ length: count }, () => benchCart(randomUUID(), nowMs));
  const [{ storeId, mode }] = carts as [Cart];
  const address = await deadAddress();
  const endpoint = await createEndpoint(documents, { storeId, mode }, () => address);
  const apiKey = await issueKey(documents, { storeId, mode }, nowMs);
  await storeCarts(documents, carts);
  const send = createPaymentSide(stage.dynamodbEndpoint);
  const startMs = performance.now();
  await inParallel(inParts(carts, BATCH_SIZE), BATCHES_AT_ONCE, (part) =>
    send(part.map((cart) => [cart, paymentOf(cart, nowMs)])),
  );
  while ((await countEvents(documents, { storeId, mode })) < count) await setTimeout(RECORDED_POLL_MS);
  const paidMs = performance.now();
  const { events, requests } = await readFeed(stage.baseUrl, apiKey);
  const readMs = performance.now() - paidMs;
  const completed = events.filter(({ type }) => type === 'cart.completed').map(({ data }) => data.id);
  const { failures = 0 } =
    (await createEndpointStore(documents, LOCAL_TABLE_NAMES.webhookEndpoints).get(endpoint))?.state ?? {};
  const recovered = new Set(completed).size;
  print(
    `recovery: ${count} carts completed in ${((paidMs - startMs) / 1_000).toFixed(1)} s, the endpoint down (${failures} failed attempts, then the breaker);` +
      ` ${recovered} of ${count} recovered by ${requests} requests in ${(readMs / 1_000).toFixed(1)} s`,
  );
  return findMissing(carts, completed, requests);
};
