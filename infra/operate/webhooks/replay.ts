import { deliveryMessageOf, type DeliveryMessage } from '../../../lib/webhooks/delivery.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Action, Context, OptionsOf } from '../command.ts';
import { isoTime } from '../output.ts';
import { deliveryQueueOf } from '../queues.ts';
import { REPLAYED_PER_SECOND, type WEBHOOKS } from './commands.ts';
import { assertEnabled, describeEndpoint } from './endpoint.ts';
import { eventsSince } from './log-events.ts';

/** The messages of a replay, in the order of their events. */
async function* messagesOf(
  { endpoint, since = 0, event: eventId }: OptionsOf<typeof WEBHOOKS.replay>,
  { stores }: Context,
): AsyncGenerator<DeliveryMessage> {
  for await (const event of eventsSince(stores.events, endpoint, since)) {
    if (eventId === undefined) {
      // The type filter of an endpoint applies to a replay too.
      if (endpoint.events?.includes(event.type) ?? true) yield deliveryMessageOf(endpoint, event);
    } else if (event.id === eventId) {
      yield deliveryMessageOf(endpoint, event);
      return;
    }
  }
}

/** Sends the messages at the rate of a replay. Returns their number. */
const sendAll = async (messages: AsyncIterable<DeliveryMessage>, context: Context): Promise<number> => {
  const queue = deliveryQueueOf(context);
  let replayed = 0;
  let batch: DeliveryMessage[] = [];
  const send = async (): Promise<void> => {
    await queue.send(batch);
    replayed += batch.length;
    batch = [];
  };
  for await (const message of messages) {
    if (batch.length === REPLAYED_PER_SECOND) {
      await send();
      await context.pauses.sleep(1_000);
    }
    batch.push(message);
  }
  if (batch.length > 0) await send();
  return replayed;
};

export const replay: Action<typeof WEBHOOKS.replay> = async (options, context) => {
  const { endpoint, since, event: eventId } = options;
  const { endpointId: id, storeId, mode } = endpoint;
  assertEnabled(endpoint);
  await context.confirm(`Replaying events to ${describeEndpoint(endpoint, context.stage)}`, mode);
  const replayed = await context.change(
    { endpointId: id, storeId, mode, since: since === undefined ? undefined : isoTime(since), eventId },
    () => sendAll(messagesOf(options, context), context),
    (count) => ({ replayed: count }),
  );
  if (replayed === 0 && eventId !== undefined) {
    throw new OperatorError(
      `The event log of ${storeId} in ${mode} mode has no event ${eventId}: it keeps events for 30 days.`,
    );
  }
  const lines = [`Events replayed to ${id}: ${replayed}. Look at \`webhooks deliveries ${id}\`.`];
  return { json: { id, replayed }, lines };
};
