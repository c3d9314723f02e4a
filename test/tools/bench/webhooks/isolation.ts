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
import { queueUrlsOf } from '../../../../lib/deliveries/queue/queue-urls.ts';
import { createSqsDeliveryQueue } from '../../../../lib/deliveries/queue/sqs-delivery-queue.ts';
import { createEventLog } from '../../../../lib/events/event-log.ts';
import { submitAction } from '../../../support/service/sandbox-page.ts';
import { cpuSeconds } from '../support/cpu-time.ts';
import { benchCart } from '../support/items.ts';
import type { StageWithDatabase } from '../support/stage.ts';
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

/** A cart to pay, and whether its webhook is the first of its endpoint. */
interface Change {
  readonly cartId: string;
  readonly isFirst: boolean;
}

/** Creates the carts of the known shops in turn, and those of the new shops between them, at regular intervals. */
const createChanges = async (
  documents: DocumentClient,
  known: readonly Shop[],
  fresh: readonly Shop[],
  count: number,
): Promise<readonly Change[]> => {
  const turnOfNew = Math.ceil(count / fresh.length);
  const changes: Change[] = [];
  for (let index = 0; index < count; index += 1) {
    const usual = await createCart(documents, known[index % known.length]!);
    changes.push({ cartId: usual, isFirst: false });
    const shop = index % turnOfNew === 0 ? fresh[index / turnOfNew] : undefined;
    if (shop) changes.push({ cartId: await createCart(documents, shop), isFirst: true });
  }
  return changes;
};

/** Measures the deliveries of healthy endpoints while thousands of deliveries wait for an endpoint that hangs. */
export const measureIsolation = async (
  { baseUrl, dynamodbEndpoint, processId }: StageWithDatabase,
  documents: DocumentClient,
  { waiting, healthyEndpoints, newEndpoints, changes: count, changesPerSecond }: IsolationLoad,
): Promise<Isolation> => {
  const hanging = await startHangingReceiver();
  let shops: readonly Shop[] = [];
  const healthy = await startVerifyingReceiver((shop) => String(shops[shop]?.secret));
  shops = await createShops(documents, healthy.url, healthyEndpoints + newEndpoints);
  const [known, fresh] = [shops.slice(0, healthyEndpoints), shops.slice(healthyEndpoints)];
  await inParallel(known, SHOPS_AT_ONCE, async (shop) => {
    const cartId = await createCart(documents, shop);
    await submitAction(baseUrl, cartId, 'pay');
    await healthy.verified(cartId);
  });
  const changes = await createChanges(documents, known, fresh, count);
  const [slow] = await createShops(documents, hanging.url, 1);
  await fillQueue(documents, dynamodbEndpoint, slow!, waiting);

  const startMs = performance.now();
  const startCpuSeconds = cpuSeconds(processId);
  const timeIsOver = sleep((1_000 * changes.length) / changesPerSecond + 30_000, undefined, { ref: false });
  const paid = await Promise.all(
    changes.map(async ({ cartId, isFirst }, index) => {
      await sleep((1_000 * index) / changesPerSecond);
      const paidAtMs = performance.now();
      await submitAction(baseUrl, cartId, 'pay');
      const requestMs = performance.now() - paidAtMs;
      await Promise.race([healthy.verified(cartId), timeIsOver]);
      const verifiedAtMs = healthy.verifiedAtMs.get(cartId);
      return { isFirst, requestMs, delaysMs: verifiedAtMs === undefined ? [] : [verifiedAtMs - paidAtMs] };
    }),
  );
  const stageCpuShare = (1_000 * (cpuSeconds(processId) - startCpuSeconds)) / (performance.now() - startMs);
  hanging.close();
  await healthy.close();
  const delaysOf = (isFirst: boolean) =>
    paid.filter((each) => each.isFirst === isFirst).flatMap(({ delaysMs }) => delaysMs);
  const { inFlightMax, attempts: attemptsAtHanging } = hanging.counts();
  return {
    delaysMs: delaysOf(false),
    firstDelaysMs: delaysOf(true),
    requestsMs: paid.map(({ requestMs }) => requestMs),
    undelivered: paid.filter(({ delaysMs }) => delaysMs.length === 0).length,
    inFlightMax,
    attemptsAtHanging,
    stageCpuShare,
  };
};
