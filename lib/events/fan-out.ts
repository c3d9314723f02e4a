import { memo } from '../core/memo.ts';
import { deliveryMessageOf, type DeliveryQueue } from '../webhooks/delivery.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.ts';
import type { BusEvent, EventBus } from './bus.ts';
import { isOutage } from '../core/errors.ts';
import { type LogId, type LoggedEvent, logKey, type StoreEvent } from './store-event.ts';

/** The receivers of events, and the functions that find them. */
export interface FanOutDependencies {
  readonly bus: EventBus;
  readonly deliveries: DeliveryQueue;
  /** All webhook endpoints of a log, disabled ones too. */
  readonly endpointsOf: (log: LogId) => Promise<readonly WebhookEndpoint[]>;
  /** The name of a store, or its id if it has no record. */
  readonly storeNameOf: (storeId: string) => Promise<string>;
}

/** The result of {@link fanOut}. */
export interface FanOutResult {
  /** How many events, from the first, need no retry: the bus and the queue have them, or they are in `rejected`. */
  readonly handled: number;
  /** The events that cannot be sent. A retry would fail too, so set them aside. */
  readonly rejected: readonly { readonly event: LoggedEvent; readonly error: unknown }[];
  /** Why the event after the handled ones must be retried, with all that follow. Absent if all are handled. */
  readonly outage?: unknown;
}

/** Events that are sent together, as many as one call of EventBridge takes. */
const CHUNK_SIZE = 10;

/** The event as the bus gets it. */
const busEventOf = ({ storeId, mode, body }: LoggedEvent, storeName: string): BusEvent => {
  const { id, type, timestamp, data } = JSON.parse(body) as StoreEvent;
  return { type, detail: { id, type, timestamp, store: { id: storeId, name: storeName }, mode, data } };
};

const wants = ({ disabled, events }: WebhookEndpoint, { type }: LoggedEvent): boolean =>
  !disabled && (events?.includes(type) ?? true);

/** Waits for both, so that nothing is in flight after an error. */
const both = async (...promises: readonly Promise<void>[]): Promise<void> => {
  const results = await Promise.allSettled(promises);
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  // An error that no retry can fix takes precedence.
  if (errors.length > 0) throw errors.find((error) => !isOutage(error)) ?? errors[0];
};

/** Sends events to the bus, and to the queue for each endpoint that wants them. */
const send = async (
  events: readonly LoggedEvent[],
  { bus, deliveries, endpointsOf, storeNameOf }: FanOutDependencies,
): Promise<void> => {
  const prepared = await Promise.all(
    events.map(async (event) => {
      const [endpoints, storeName] = await Promise.all([endpointsOf(event), storeNameOf(event.storeId)]);
      const wanted = endpoints.filter((endpoint) => wants(endpoint, event));
      return {
        busEvent: busEventOf(event, storeName),
        messages: wanted.map((endpoint) => deliveryMessageOf(endpoint, event)),
      };
    }),
  );
  const messages = prepared.flatMap((each) => each.messages);
  await both(
    bus.put(prepared.map(({ busEvent }) => busEvent)),
    messages.length > 0 ? deliveries.send(messages) : Promise.resolve(),
  );
};

/**
 * Sends the events of a chunk one by one, after they failed together. An event that fails again without an outage is
 * rejected, and those behind it are sent.
 */
const sendEach = async (
  chunk: readonly LoggedEvent[],
  dependencies: FanOutDependencies,
): Promise<FanOutResult> => {
  const rejected: { event: LoggedEvent; error: unknown }[] = [];
  for (const [handled, event] of chunk.entries()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- an outage stops those behind
      await send([event], dependencies);
    } catch (error) {
      if (isOutage(error)) return { handled, rejected, outage: error };
      rejected.push({ event, error });
    }
  }
  return { handled: chunk.length, rejected };
};

const sendChunk = async (
  chunk: readonly LoggedEvent[],
  dependencies: FanOutDependencies,
): Promise<FanOutResult> => {
  try {
    await send(chunk, dependencies);
    return { handled: chunk.length, rejected: [] };
  } catch (error) {
    if (isOutage(error)) return { handled: 0, rejected: [], outage: error };
    return sendEach(chunk, dependencies);
  }
};

/**
 * Sends events to the platform's bus and to the webhook endpoints of their logs. An event that was sent before is sent
 * again, with the same ids. It queries the endpoints of each log once.
 *
 * It never throws: an error is either an event's own, or an outage after which the rest must be retried.
 */
export const fanOut = async (
  events: readonly LoggedEvent[],
  dependencies: FanOutDependencies,
): Promise<FanOutResult> => {
  const endpointsOf = memo(dependencies.endpointsOf, { keyOf: logKey });
  const rejected: { event: LoggedEvent; error: unknown }[] = [];
  for (let handled = 0; handled < events.length; handled += CHUNK_SIZE) {
    const chunk = events.slice(handled, handled + CHUNK_SIZE);
    // oxlint-disable-next-line no-await-in-loop -- an outage stops those behind
    const result = await sendChunk(chunk, { ...dependencies, endpointsOf });
    rejected.push(...result.rejected);
    if (result.outage !== undefined) {
      return { handled: handled + result.handled, rejected, outage: result.outage };
    }
  }
  return { handled: events.length, rejected };
};
