import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { type ExpiringCart, scheduleExpiries } from '../../../lib/carts/expiry-schedule.ts';
import { createDueStore } from '../../../lib/due/due-store.ts';
import { createEventBus } from '../../../lib/events/bus.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { fanOut, type FanOutDependencies } from '../../../lib/events/fan-out.ts';
import { type LoggedEvent, parseLogKey } from '../../../lib/events/store-event.ts';
import { parseCartRecord, parseEventRecord } from '../../../lib/events/stream-records.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { createStoreDirectory } from '../../../lib/stores/store-directory.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Host } from '../options.ts';
import { deliveryQueueOf, pausesOf } from '../queues.ts';
import { requireOutput, type StackOutputs } from '../stack-outputs.ts';
import type { Stage } from '../stage.ts';
import type { DeadLetter, LetterHandler } from './dead-letter.ts';

const letterSchema = z.object({
  functionName: z.enum(['fan-out-events', 'schedule-expiries']),
  reason: z.string(),
  record: z.unknown(),
});

const keysSchema = z.object({
  dynamodb: z.object({
    Keys: z.object({ log: z.object({ S: z.string() }), sequence: z.object({ N: z.string() }) }),
  }),
});

/** The content of a set-aside record. */
type Content =
  | { readonly kind: 'event'; readonly event: LoggedEvent }
  | { readonly kind: 'expiry'; readonly cart: ExpiringCart }
  | { readonly kind: 'unreadable' };

const UNREADABLE = { kind: 'unreadable' } as const;

/** Reads the content of a letter. If the record is malformed, it reads the event from the event log. */
const createRead =
  ({ documents, tableNames }: Stage) =>
  async ({ body }: DeadLetter): Promise<Content> => {
    const { data: letter } = letterSchema.safeParse(parseJson(body));
    if (!letter) return UNREADABLE;
    const record = letter.record as DynamoDBRecord;
    if (letter.functionName === 'schedule-expiries') {
      const cart = parseCartRecord(record);
      return cart.kind === 'valid' ? { kind: 'expiry', cart: cart.value } : UNREADABLE;
    }
    const parsed = parseEventRecord(record);
    if (parsed.kind === 'valid') return { kind: 'event', event: parsed.value };
    const { data: keyed } = keysSchema.safeParse(record);
    if (!keyed) return UNREADABLE;
    const { log, sequence } = keyed.dynamodb.Keys;
    const number = Number(sequence.N);
    const store = createEventStore(documents, tableNames.events);
    const [event] = (await store.after(parseLogKey(log.S), number - 1, 1)).events;
    return event?.sequence === number ? { kind: 'event', event } : UNREADABLE;
  };

const createFanOutDependencies = (stage: Stage, outputs: StackOutputs, host: Host): FanOutDependencies => {
  const { documents, tableNames } = stage;
  const stores = createStoreDirectory(documents, tableNames.stores);
  const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
  return {
    bus: createEventBus(
      new EventBridgeClient({}),
      requireOutput(outputs, 'EventBusName', stage.name),
      pausesOf(host),
    ),
    deliveries: deliveryQueueOf(stage, host),
    endpointsOf: (log) => endpoints.listOf(log),
    storeNameOf: async (storeId) => (await stores.find(storeId))?.name ?? storeId,
  };
};

/**
 * Records of streams that a function set aside. A redrive does the work of the function: it sends an event to the bus and
 * the delivery queue again, or schedules the expiry of a cart.
 */
export const eventLetters = (stage: Stage, outputs: StackOutputs, host: Host): LetterHandler => {
  const read = createRead(stage);
  const dependencies = createFanOutDependencies(stage, outputs, host);
  const due = createDueStore(stage.documents, stage.tableNames.due, host.now);
  return {
    queueUrl: requireOutput(outputs, 'SetAsideQueueUrl', stage.name),

    async examine(letter) {
      const content = await read(letter);
      if (content.kind === 'event') {
        const { id, type, storeId, mode, cartId } = content.event;
        const subject = `event ${id} ${type} of ${storeId}, ${mode} mode`;
        const fields = { event: { id, type, storeId, mode, cartId } };
        return { verdict: 'sent', isRedrivable: true, subject, fields };
      }
      if (content.kind === 'unreadable') {
        return { verdict: 'malformed', isRedrivable: false, subject: '', fields: {} };
      }
      const { id, mode } = content.cart;
      const subject = `expiry of cart ${id}, ${mode} mode`;
      return { verdict: 'scheduled', isRedrivable: true, subject, fields: { expiry: { cartId: id, mode } } };
    },

    async redrive(letter) {
      const content = await read(letter);
      if (content.kind === 'unreadable') return false;
      if (content.kind === 'expiry') {
        await scheduleExpiries([content.cart], due);
        return true;
      }
      const { rejected, outage } = await fanOut([content.event], dependencies);
      if (outage !== undefined) {
        throw new OperatorError(
          'DynamoDB, the event bus or the delivery queue is unavailable: redrive again later.',
        );
      }
      return rejected.length === 0;
    },
  };
};
