import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { sendAll } from '../aws/batches.ts';
import type { Pauses } from '../core/retry.ts';

/** The EventBridge `source` of the events that this service sends. */
export const BUS_SOURCE = 'cart-checkout';

/** An event for the platform's bus. */
export interface BusEvent {
  /** The EventBridge `detail-type`. */
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The limits of PutEvents: its entries, and the bytes of all together. */
const ENTRIES_MAX = 10;
const BYTES_MAX = 256 * 1_024;

/** The error codes of an entry that EventBridge would reject again: PutEventsResultEntry in its API reference. */
const REJECTIONS = new Set(['InvalidArgument', 'MalformedDetail', 'RedactionFailure']);

/** EventBridge rejected an event, or would do so. */
export class RejectedEventError extends Error {
  constructor(reason: string) {
    super(`The event bus rejects the event: ${reason}`);
    this.name = 'RejectedEventError';
  }
}

/**
 * The size of an entry as EventBridge counts it: the bytes of its source, type and detail.
 *
 * @throws RejectedEventError if EventBridge would reject the entry for its size
 */
const sizeOf = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number => {
  const size = Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);
  if (size > BYTES_MAX) throw new RejectedEventError(`it has ${size} bytes`);
  return size;
};

/** Splits entries into batches within the limits, in their order. */
const inBatches = (
  entries: readonly PutEventsRequestEntry[],
): readonly (readonly PutEventsRequestEntry[])[] => {
  const batches: PutEventsRequestEntry[][] = [];
  let bytes = Infinity;
  for (const entry of entries) {
    const size = sizeOf(entry);
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

/** The platform's event bus, in EventBridge. */
export const createEventBus = (
  client: Pick<EventBridgeClient, 'send'>,
  eventBusName: string,
  pauses?: Pauses,
) => {
  /** Sends entries once. Returns those that a retry may send. */
  const send = async (
    entries: readonly PutEventsRequestEntry[],
  ): Promise<readonly PutEventsRequestEntry[]> => {
    const { Entries: results = [] } = await client.send(new PutEventsCommand({ Entries: [...entries] }));
    const rejected = results.find(({ ErrorCode }) => REJECTIONS.has(ErrorCode ?? ''));
    if (rejected) throw new RejectedEventError(String(rejected.ErrorCode));
    return entries.filter((_, index) => results[index]?.EventId === undefined);
  };

  return {
    /**
     * Sends events. The bus has all of them when the promise resolves.
     *
     * @throws an error. If no retry can fix it (`isRetryable`), an event is invalid.
     */
    async put(events: readonly BusEvent[]): Promise<void> {
      const entries = events.map(({ type, detail }) => ({
        EventBusName: eventBusName,
        Source: BUS_SOURCE,
        DetailType: type,
        Detail: JSON.stringify(detail),
      }));
      // oxlint-disable-next-line no-await-in-loop -- keeps the order of the events
      for (const batch of inBatches(entries)) await sendAll(batch, send, 'The event bus', pauses);
    },
  };
};

export type EventBus = ReturnType<typeof createEventBus>;
