import {
  EventBridgeClient,
  type EventBridgeClientConfig,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import type { Pauses } from '../products/batches.ts';
import { OutageError } from './outage.ts';

/** The EventBridge `source` of the events that this service sends. */
export const BUS_SOURCE = 'cart-checkout';

/** An event for the platform's bus. */
export interface BusEvent {
  /** The EventBridge `detail-type`. */
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The platform's event bus. */
export interface EventBus {
  /**
   * Sends events. The bus has all of them when the promise resolves.
   *
   * @throws an outage (`isOutage`) if a retry may succeed. Any other error means that an event is invalid.
   */
  put(events: readonly BusEvent[]): Promise<void>;
}

/** The limits of EventBridge's PutEvents: entries, and bytes of all entries together. */
const ENTRIES_MAX = 10;
const BYTES_MAX = 256 * 1_024;

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 200;

/** The error codes of an entry that EventBridge would reject again: PutEventsResultEntry in its API reference. */
const REJECTIONS = new Set(['InvalidArgument', 'MalformedDetail', 'RedactionFailure']);

/** EventBridge rejected an event, or would do so. */
export class RejectedEventError extends Error {
  constructor(reason: string) {
    super(`The event bus rejects the event: ${reason}`);
    this.name = 'RejectedEventError';
  }
}

/** The size of an entry as EventBridge counts it: the bytes of its source, type and detail. */
const sizeOf = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);

const inBatches = (entries: readonly PutEventsRequestEntry[]): PutEventsRequestEntry[][] => {
  const batches: PutEventsRequestEntry[][] = [];
  let bytes = Infinity;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (size > BYTES_MAX) throw new RejectedEventError(`it has ${size} bytes`);
    const batch = batches.at(-1);
    if (batch && batch.length < ENTRIES_MAX && bytes + size <= BYTES_MAX) {
      batch.push(entry);
      bytes += size;
    } else {
      batches.push([entry]);
      bytes = size;
    }
  }
  return batches;
};

/** The client of a function for EventBridge. */
export const createBusClient = (config: EventBridgeClientConfig = {}): EventBridgeClient => {
  const client = new EventBridgeClient({
    maxAttempts: 2,
    requestHandler: { requestTimeout: 3_000, throwOnRequestTimeout: true },
    ...config,
  });
  // It walks every attribute of each request and response, although logging is off.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/** The event bus in EventBridge. */
export const createEventBus = (
  client: EventBridgeClient,
  eventBusName: string,
  { sleep, random }: Pauses,
): EventBus => {
  /** Sends entries once. Returns those that a retry may send. */
  const send = async (Entries: PutEventsRequestEntry[]): Promise<PutEventsRequestEntry[]> => {
    const { FailedEntryCount = 0, Entries: results = [] } = await client.send(
      new PutEventsCommand({ Entries }),
    );
    if (FailedEntryCount === 0) return [];
    const rejected = results.find(({ ErrorCode }) => REJECTIONS.has(ErrorCode ?? ''));
    if (rejected) throw new RejectedEventError(String(rejected.ErrorCode));
    return Entries.filter((_, index) => results[index]?.ErrorCode !== undefined);
  };

  const sendBatch = async (batch: PutEventsRequestEntry[]): Promise<void> => {
    let left = batch;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      if (attempt > ATTEMPTS_MAX) throw new OutageError('The event bus did not accept all events');
      // oxlint-disable no-await-in-loop -- each attempt sends what the last one left
      if (attempt > 1) await sleep(random() * PAUSE_MS * attempt);
      left = await send(left);
      // oxlint-enable no-await-in-loop
    }
  };

  return {
    async put(events) {
      const entries = events.map(({ type, detail }) => ({
        EventBusName: eventBusName,
        Source: BUS_SOURCE,
        DetailType: type,
        Detail: JSON.stringify(detail),
      }));
      // oxlint-disable-next-line no-await-in-loop -- keeps the order of the events
      for (const batch of inBatches(entries)) await sendBatch(batch);
    },
  };
};
