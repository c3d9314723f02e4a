import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import * as z from 'zod/mini';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { createEventBus } from '../../../lib/events/bus.ts';
import { createBusReceiver } from '../../../lib/events/bus-receiver.ts';
import { fanOut } from '../../../lib/events/fan-out.ts';
import { type LoggedEvent, parseLogKey } from '../../../lib/events/store-event.ts';
import { findStoreName } from '../../../lib/stores/store-name.ts';
import { createEndpointReceiver } from '../../../lib/webhooks/endpoint-receiver.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Context } from '../command.ts';
import { deliveryQueueOf } from '../queues.ts';
import { outputOf } from '../stack-outputs.ts';
import { type Examine, unreadableLetter } from './examined-letter.ts';

/** A set-aside event: the key of its item in the event log. */
const letterSchema = z.object({ log: z.string(), sequence: z.number() });

/** Sends an event to the bus and the delivery queue again. Returns whether both accept it. */
const sendEvent = async (event: LoggedEvent, context: Context): Promise<boolean> => {
  const { stage, stores, pauses } = context;
  const bus = createEventBus(new EventBridgeClient({}), outputOf(stage, 'EventBusName'), pauses);
  const { rejected, outage } = await fanOut(
    [event],
    [
      createBusReceiver(bus, (storeId) => findStoreName(stores.stores, storeId)),
      createEndpointReceiver(deliveryQueueOf(context), (log) => stores.endpoints.listOf(log)),
    ],
  );
  if (outage === undefined) return rejected.length === 0;
  throw new OperatorError(
    'DynamoDB, the event bus or the delivery queue is unavailable: redrive again later.',
  );
};

/** Events that could not be fanned out. A redrive reads the event log, and sends the event again. */
export const examineEvent: Examine = async (body, context) => {
  const { data: key } = letterSchema.safeParse(parseJson(body));
  if (!key) return unreadableLetter('malformed');
  const event = await context.stores.events.find(parseLogKey(key.log), key.sequence, context.now());
  if (!event) return unreadableLetter('eventDeleted');
  const { id, type, storeId, mode, cartId } = event;
  return {
    verdict: 'sent',
    subject: `event ${id} ${type} of ${storeId}, ${mode} mode`,
    fields: { event: { id, type, storeId, mode, cartId } },
    redrive: () => sendEvent(event, context),
  };
};
