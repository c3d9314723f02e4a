import { isoTime } from '../../../lib/core/timestamps.ts';
import { isSubscribedTo } from '../../../lib/deliveries/queue/endpoint-sink.ts';
import { laneOf } from '../../../lib/deliveries/queue/lanes.ts';
import { deliveryMessageOf, testMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import type { Attempt } from '../../../lib/deliveries/records/attempt.ts';
import type { DeliveryRecord } from '../../../lib/deliveries/records/delivery.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action, OptionsOf } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { deliveryJson, statusText } from '../shared/delivery-output.ts';
import { eventsSince } from '../shared/log-events.ts';
import { until } from '../shared/until.ts';
import { deliveryQueueOf } from '../target/queues.ts';
import { stageFlag } from '../target/stage.ts';
import { REPLAYED_PER_SECOND, type WEBHOOKS } from './commands.ts';
import { assertEnabled, changeEndpoint } from './webhooks.ts';

/** The line of an attempt, with the beginning of the response in one line. */
const attemptLine = ({ atMs, attempt, status, error, ms, response = '' }: Attempt): string => {
  const text = response.replaceAll(/\s+/g, ' ');
  return `  ${isoTime(atMs)}  attempt ${attempt}  ${status ?? error ?? ''}  ${ms} ms  ${text}`.trimEnd();
};

const deliveryLines = (record: DeliveryRecord): string[] => {
  const { recordedAtMs, type, eventId, attempts } = record;
  const line = `${isoTime(recordedAtMs)}  ${type}  ${eventId}  ${statusText(record)}`;
  return [line, ...attempts.map(attemptLine)];
};

/** An attempt takes up to 10 s, and may wait for two others. */
const PING_WAIT_SECONDS = 45;

export const test: Action<typeof WEBHOOKS.test> = async ({ endpoint }, context) => {
  const { stage, repositories, now, pauses } = context;
  const { endpointId } = endpoint;
  assertEnabled(endpoint);
  const message = await changeEndpoint('Sending a ping to', endpoint, context, async () => {
    const ping = testMessageOf(endpoint, now());
    await deliveryQueueOf(context).send([ping], { lane: laneOf(endpoint.state) });
    return ping;
  });
  const record = await until(pauses, PING_WAIT_SECONDS, async () => {
    const found = await repositories.deliveries.find(message);
    // It is parked behind other deliveries.
    return found?.status === 'waiting' ? undefined : found;
  });
  if (!record) {
    throw new OperatorError(
      `The stage ${stage.name} has not delivered the ping within ${PING_WAIT_SECONDS} s: check that it runs, then \`webhooks deliveries ${endpointId}\`.`,
    );
  }
  const failure =
    record.status === 'succeeded' ? undefined : `The endpoint ${endpointId} did not accept the ping.`;
  return { json: deliveryJson(record), lines: deliveryLines(record), failure };
};

export const deliveries: Action<typeof WEBHOOKS.deliveries> = async (options, { repositories }) => {
  const { endpoint, failed, limit } = options;
  const records = await repositories.deliveries.listOf(endpoint.endpointId, { failedOnly: failed, limit });
  const lines = records.length === 0 ? ['There are no such deliveries.'] : records.flatMap(deliveryLines);
  return { json: { deliveries: records.map(deliveryJson) }, lines };
};

/** Sends the selected events to the endpoint, in their order and at the rate of a replay. Returns their number. */
const sendEvents = async (
  { endpoint, since = 0, event: eventId }: OptionsOf<typeof WEBHOOKS.replay>,
  context: Context,
): Promise<number> => {
  const queue = deliveryQueueOf(context);
  let replayed = 0;
  for await (const event of eventsSince(context.repositories.events, endpoint, since)) {
    const isSelected = eventId === undefined ? isSubscribedTo(endpoint, event) : event.id === eventId;
    if (!isSelected) continue;
    if (replayed > 0 && replayed % REPLAYED_PER_SECOND === 0) await context.pauses.sleep(1_000);
    await queue.send([deliveryMessageOf(endpoint, event)]);
    replayed += 1;
    if (eventId !== undefined) break;
  }
  return replayed;
};

export const replay: Action<typeof WEBHOOKS.replay> = async (options, context) => {
  const { endpoint, since, event: eventId } = options;
  const { endpointId: id, storeId, mode } = endpoint;
  assertEnabled(endpoint);
  const replayed = await changeEndpoint(
    'Replaying events to',
    endpoint,
    context,
    () => sendEvents(options, context),
    { since: since === undefined ? undefined : isoTime(since), eventId },
    (count) => ({ replayed: count }),
  );
  if (replayed === 0 && eventId !== undefined) {
    throw new OperatorError(
      `The event log of ${storeId} in ${mode} mode has no event ${eventId}: it keeps events for 30 days.`,
    );
  }
  const lines = [
    `Events replayed to ${id}: ${replayed}. Look at \`webhooks deliveries ${id} ${stageFlag(context.stage)}\`.`,
  ];
  return { json: { id, replayed }, lines };
};
