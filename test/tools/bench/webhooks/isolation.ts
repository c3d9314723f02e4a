import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  LOCAL_TABLE_NAMES,
  localClientConfig,
  localQueueUrl,
} from '../../../../infra/local-access/local-names.ts';
import { createLogPositions } from '../../../../infra/local/aws/event-stream.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { queueSettings } from '../../../../infra/stage/queues.ts';
import { cartEvent } from '../../../../lib/carts/cart-event.ts';
import { inParallel } from '../../../../lib/core/in-parallel.ts';
import { inParts } from '../../../../lib/core/in-parts.ts';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import { type DeliveryMessage, deliveryMessageOf } from '../../../../lib/deliveries/queue/queue-message.ts';
import { createSqsDeliveryQueue, queueUrlsOf } from '../../../../lib/deliveries/queue/sqs-delivery-queue.ts';
import { createEventLog } from '../../../../lib/events/event-log.ts';
import { submitAction } from '../../../support/service/sandbox-page.ts';
import type { LocalStage } from '../http/stage.ts';
import { cpuSeconds } from '../support/cpu-time.ts';
import { benchCart } from '../support/items.ts';
import { startHangingReceiver } from './hanging-receiver.ts';
import { createCart, createShops, type Shop, startVerifyingReceiver } from './shops.ts';

/** The load beside an endpoint that hangs. */
export interface IsolationLoad {
  /** The deliveries that wait for the endpoint that hangs. */
  readonly waiting: number;
  /** The endpoints that have received a webhook before. */
  readonly healthyEndpoints: number;
  /** The endpoints whose first webhook comes during the load. */
  readonly newEndpoints: number;
  /** Changes of healthy stores with known endpoints. */
  readonly changes: number;
  readonly changesPerSecond: number;
}

interface Isolation {
  /** From each change to the verified webhook, in milliseconds. */
  readonly delaysMs: readonly number[];
  /** The same, for the first webhooks of new endpoints. */
  readonly firstDelaysMs: readonly number[];
  /** The durations of the requests that made the changes. */
  readonly requestsMs: readonly number[];
  readonly undelivered: number;
  /** The most requests in flight at the endpoint that hangs. */
  readonly inFlightMax: number;
  readonly attemptsAtHanging: number;
  /** The share of one processor that the stage used, from 0. */
  readonly stageCpuShare: number;
}

const CHANGES_PER_APPEND = 40;

const MESSAGES_PER_SEND = 100;

const SHOPS_AT_ONCE = 10;

/** Enough to put a message on the queue, so that all are there before the first one is visible. */
const FILL_MS_PER_MESSAGE = 2;

/**
 * Records events of a store without their carts, and puts their deliveries on the queue. Returns when they become visible,
 * all within about a second.
 */
const fillQueue = async (
  documents: DocumentClient,
  dynamodbEndpoint: string,
  { storeId, endpointId }: Shop,
  count: number,
): Promise<void> => {
  const log = { storeId, mode: 'test' } as const;
  const events = createEventLog(documents, LOCAL_TABLE_NAMES.events, { now: Date.now });
  // The stage then does not send them too.
  await createLogPositions(documents, LOCAL_STATE_TABLE.name).move(log, Number.MAX_SAFE_INTEGER);
  const messages: DeliveryMessage[] = [];
  for (let start = 0; start < count; start += CHANGES_PER_APPEND) {
    const appended = Array.from({ length: Math.min(CHANGES_PER_APPEND, count - start) }, (_, index) => {
      const cart = { ...benchCart(`cart-${start + index}`, Date.now()), storeId };
      const event = cartEvent({ type: 'cart.completed', cart, cause: 'bench' });
      return events.append(log, { event, writes: [] }, AbortSignal.timeout(30_000));
    });
    const results = await Promise.all(appended);
    for (const result of results) {
      if (result.outcome === 'appended')
        messages.push(deliveryMessageOf({ ...log, endpointId }, result.event));
    }
  }
  const sqs = new SQSClient(localClientConfig(dynamodbEndpoint));
  const queueUrls = queueUrlsOf(queueSettings((name) => localQueueUrl(dynamodbEndpoint, name)));
  const queue = createSqsDeliveryQueue(sqs, queueUrls, { sleep, random: Math.random });
  const visibleAtMs = Date.now() + FILL_MS_PER_MESSAGE * count;
  for (const part of inParts(messages, MESSAGES_PER_SEND)) {
    const delaySeconds = Math.max(0, Math.round((visibleAtMs - Date.now()) / 1_000));
    // To the slow queue, as the fan-out does for an endpoint that has not succeeded, and `run-timers` for all.
    await queue.send(part, { delaySeconds });
  }
  await sleep(Math.max(0, visibleAtMs - Date.now()));
};

/** Measures the deliveries of healthy endpoints while thousands of deliveries wait for an endpoint that hangs. */
export const measureIsolation = async (
  { baseUrl, dynamodbEndpoint, processId }: LocalStage,
  documents: DocumentClient,
  { waiting, healthyEndpoints, newEndpoints, changes, changesPerSecond }: IsolationLoad,
): Promise<Isolation> => {
  const hanging = await startHangingReceiver();
  let shops: readonly Shop[] = [];
  const healthy = await startVerifyingReceiver((shop) => String(shops[shop]?.secret));
  shops = await createShops(documents, healthy.url, healthyEndpoints + newEndpoints);
  const known = shops.slice(0, healthyEndpoints);
  await inParallel(known, SHOPS_AT_ONCE, async (shop) => {
    const cartId = await createCart(documents, shop);
    await submitAction(baseUrl, cartId, 'pay');
    await healthy.verified(cartId);
  });
  // New endpoints come in regular intervals.
  const turnOfNew = Math.ceil(changes / newEndpoints);
  const carts: string[] = [];
  const firstCarts = new Set<string>();
  for (let index = 0; index < changes; index += 1) {
    carts.push(await createCart(documents, known[index % known.length]!));
    const fresh = index % turnOfNew === 0 ? shops[healthyEndpoints + index / turnOfNew] : undefined;
    if (!fresh) continue;
    const cartId = await createCart(documents, fresh);
    firstCarts.add(cartId);
    carts.push(cartId);
  }
  const [slow] = await createShops(documents, hanging.url, 1);
  await fillQueue(documents, dynamodbEndpoint, slow!, waiting);

  const startMs = performance.now();
  const startCpuSeconds = cpuSeconds(processId);
  const paidAtMs = new Map<string, number>();
  const requestsMs: number[] = [];
  const payments = carts.map(async (cartId, index) => {
    await sleep((1_000 * index) / changesPerSecond);
    paidAtMs.set(cartId, performance.now());
    await submitAction(baseUrl, cartId, 'pay');
    requestsMs.push(performance.now() - (paidAtMs.get(cartId) ?? 0));
    await healthy.verified(cartId);
  });
  const timeoutMs = (1_000 * carts.length) / changesPerSecond + 30_000;
  await Promise.race([Promise.all(payments), sleep(timeoutMs, undefined, { ref: false })]);
  const delaysOf = (ids: readonly string[]): number[] =>
    ids.flatMap((cartId) => {
      const verifiedAtMs = healthy.verifiedAtMs.get(cartId);
      return verifiedAtMs === undefined ? [] : [verifiedAtMs - (paidAtMs.get(cartId) ?? 0)];
    });
  const delaysMs = delaysOf(carts.filter((cartId) => !firstCarts.has(cartId)));
  const firstDelaysMs = delaysOf([...firstCarts]);
  const stageCpuShare = (1_000 * (cpuSeconds(processId) - startCpuSeconds)) / (performance.now() - startMs);
  hanging.close();
  await healthy.close();
  const undelivered = carts.length - delaysMs.length - firstDelaysMs.length;
  const { inFlightMax, attempts: attemptsAtHanging } = hanging.counts();
  return { delaysMs, firstDelaysMs, requestsMs, undelivered, inFlightMax, attemptsAtHanging, stageCpuShare };
};
