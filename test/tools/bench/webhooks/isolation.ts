import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:http';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDeliveryQueue } from '../../../../infra/local/delivery-queue.ts';
import { createLogPositions } from '../../../../infra/local/events/log-positions.ts';
import { listen } from '../../../../infra/local/gateway/listen.ts';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local/local-database.ts';
import { createEventLog } from '../../../../lib/events/event-log.ts';
import { deliveryMessageOf } from '../../../../lib/webhooks/delivery.ts';
import { benchCart } from '../support/items.ts';
import { createCart, createShops, payCart, type Shop, startVerifyingReceiver } from './shops.ts';

/** The load beside an endpoint that hangs. */
export interface IsolationLoad {
  /** The deliveries that wait for the endpoint that hangs. */
  readonly waiting: number;
  readonly healthyEndpoints: number;
  /** Changes of healthy stores. */
  readonly changes: number;
  readonly changesPerSecond: number;
}

export interface Isolation {
  /** From each change to the verified webhook, in milliseconds. */
  readonly delaysMs: readonly number[];
  /** Of the requests that made the changes. */
  readonly requestsMs: readonly number[];
  readonly undelivered: number;
  /** The most requests in flight at the endpoint that hangs. */
  readonly inFlightMax: number;
  readonly attemptsAtHanging: number;
}

const CHANGES_PER_APPEND = 40;

/** A server that accepts requests and never responds. */
const startHangingReceiver = async () => {
  let inFlight = 0;
  let inFlightMax = 0;
  let attempts = 0;
  const server = createServer((_request, response) => {
    inFlight += 1;
    attempts += 1;
    inFlightMax = Math.max(inFlightMax, inFlight);
    response.once('close', () => (inFlight -= 1));
  });
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}/hook`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url, counts: () => ({ inFlightMax, attemptsAtHanging: attempts }), close };
};

/** Records events of a store without their carts, and puts their deliveries on the queue. */
const fillQueue = async (
  documents: DynamoDBDocumentClient,
  { storeId, endpointId }: Shop,
  count: number,
): Promise<void> => {
  const log = { storeId, mode: 'test' } as const;
  const events = createEventLog(documents, LOCAL_TABLE_NAMES.events, { now: Date.now });
  const queue = createDeliveryQueue(documents, LOCAL_TABLE_NAMES.due, Date.now);
  const positions = createLogPositions(documents, LOCAL_TABLE_NAMES.due);
  for (let start = 0; start < count; start += CHANGES_PER_APPEND) {
    const appended = Array.from({ length: Math.min(CHANGES_PER_APPEND, count - start) }, (_, index) => {
      const cart = { ...benchCart(`cart-${start + index}`, Date.now()), storeId };
      const event = { type: 'cart.completed', cart, cause: 'bench' } as const;
      return events.append(log, { event, writes: [] }, AbortSignal.timeout(30_000));
    });
    const results = await Promise.all(appended);
    const messages = results.flatMap((result) =>
      result.outcome === 'appended' ? [deliveryMessageOf({ ...log, endpointId }, result.event)] : [],
    );
    await queue.send(messages);
    // The stage then does not send them too.
    await positions.move(log, Math.max(...messages.map(({ sequence = 0 }) => sequence)));
  }
};

/** Measures the deliveries of healthy endpoints while thousands of deliveries wait for an endpoint that hangs. */
export const measureIsolation = async (
  baseUrl: string,
  documents: DynamoDBDocumentClient,
  { waiting, healthyEndpoints, changes, changesPerSecond }: IsolationLoad,
): Promise<Isolation> => {
  const hanging = await startHangingReceiver();
  let shops: readonly Shop[] = [];
  const healthy = await startVerifyingReceiver((shop) => String(shops[shop]?.secret));
  shops = await createShops(documents, healthy.url, healthyEndpoints);
  const carts: string[] = [];
  for (let index = 0; index < changes; index += 1) {
    carts.push(await createCart(documents, shops[index % shops.length]!));
  }
  const [slow] = await createShops(documents, hanging.url, 1);
  await fillQueue(documents, slow!, waiting);

  const paidAtMs = new Map<string, number>();
  const requestsMs: number[] = [];
  const payments = carts.map(async (cartId, index) => {
    await sleep((1_000 * index) / changesPerSecond);
    paidAtMs.set(cartId, performance.now());
    await payCart(baseUrl, cartId);
    requestsMs.push(performance.now() - (paidAtMs.get(cartId) ?? 0));
    await healthy.verified(cartId);
  });
  await Promise.race([Promise.all(payments), sleep((1_000 * changes) / changesPerSecond + 30_000)]);
  const delaysMs = carts.flatMap((cartId) => {
    const verifiedAtMs = healthy.verifiedAtMs.get(cartId);
    return verifiedAtMs === undefined ? [] : [verifiedAtMs - (paidAtMs.get(cartId) ?? 0)];
  });
  hanging.close();
  await healthy.close();
  return { delaysMs, requestsMs, undelivered: changes - delaysMs.length, ...hanging.counts() };
};
