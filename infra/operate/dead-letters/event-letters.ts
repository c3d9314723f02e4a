import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { scheduleExpiries } from '../../../lib/carts/expiry-schedule.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { createEventBus } from '../../../lib/events/bus.ts';
import { fanOut } from '../../../lib/events/fan-out.ts';
import { type LoggedEvent, parseLogKey } from '../../../lib/events/store-event.ts';
import { parseCartRecord, parseEventRecord } from '../../../lib/events/stream-records.ts';
import { findStoreName } from '../../../lib/stores/store-name.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Context } from '../command.ts';
import { deliveryQueueOf } from '../queues.ts';
import { outputOf } from '../stack-outputs.ts';
import { type Examine, type ExaminedLetter, unreadableLetter } from './examined-letter.ts';

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

/** The event of a record. If the record is malformed, it reads the event from the event log. */
const findEvent = async (
  record: DynamoDBRecord,
  { stores: { events }, now }: Context,
): Promise<LoggedEvent | undefined> => {
  const parsed = parseEventRecord(record);
  if (parsed.kind === 'valid') return parsed.value;
  const { data: keyed } = keysSchema.safeParse(record);
  if (!keyed) return undefined;
  const { log, sequence } = keyed.dynamodb.Keys;
  return events.find(parseLogKey(log.S), Number(sequence.N), now());
};

/** Sends an event to the bus and the delivery queue again. Returns whether both accept it. */
const sendEvent = async (event: LoggedEvent, context: Context): Promise<boolean> => {
  const { stage, stores, pauses } = context;
  const { rejected, outage } = await fanOut([event], {
    bus: createEventBus(new EventBridgeClient({}), outputOf(stage, 'EventBusName'), pauses),
    deliveries: deliveryQueueOf(context),
    endpointsOf: (log) => stores.endpoints.listOf(log),
    storeNameOf: (storeId) => findStoreName(stores.stores, storeId),
  });
  if (outage === undefined) return rejected.length === 0;
  throw new OperatorError(
    'DynamoDB, the event bus or the delivery queue is unavailable: redrive again later.',
  );
};

const examineExpiry = (record: DynamoDBRecord, { stores }: Context): ExaminedLetter => {
  const parsed = parseCartRecord(record);
  if (parsed.kind !== 'valid') return unreadableLetter('malformed');
  const { id, mode } = parsed.value;
  return {
    verdict: 'scheduled',
    subject: `expiry of cart ${id}, ${mode} mode`,
    fields: { expiry: { cartId: id, mode } },
    redrive: () => scheduleExpiries([parsed.value], stores.due).then(() => true),
  };
};

/** Records of streams that a function set aside. A redrive does the work of the function. */
export const examineEvent: Examine = async (body, context) => {
  const { data: letter } = letterSchema.safeParse(parseJson(body));
  const record = letter?.record as DynamoDBRecord;
  if (letter?.functionName === 'schedule-expiries') return examineExpiry(record, context);
  const event = letter && (await findEvent(record, context));
  if (!event) return unreadableLetter('malformed');
  const { id, type, storeId, mode, cartId } = event;
  return {
    verdict: 'sent',
    subject: `event ${id} ${type} of ${storeId}, ${mode} mode`,
    fields: { event: { id, type, storeId, mode, cartId } },
    redrive: () => sendEvent(event, context),
  };
};
