import { type Command, InvalidArgumentError } from 'commander';
import {
  deliveryMessageOf,
  type DeliveryMessage,
  type DeliveryQueue,
} from '../../../lib/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, parseTime, stageCommand, withYes, type YesFlag } from '../options.ts';
import { isoTime, print } from '../output.ts';
import { deliveryQueueOf, pausesOf } from '../queues.ts';
import { changeOf, confirmChange, findEndpoint, type Webhooks } from './found-endpoint.ts';
import { eventsSince } from './log-events.ts';

interface ReplayFlags extends CommonFlags, YesFlag {
  /** In milliseconds since the epoch. */
  readonly since?: number;
  readonly event?: string;
}

/** Parked deliveries drain at the same rate. */
const PER_SECOND = 10;

const parseEventId = (text: string): string => {
  if (/^evt_[0-9a-f]{32}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be evt_ and 32 hexadecimal digits.');
};

/** The messages of a replay, in the order of their events. */
async function* messagesOf(
  { events }: Pick<Webhooks, 'events'>,
  endpoint: WebhookEndpoint,
  { since = 0, event: eventId }: ReplayFlags,
): AsyncGenerator<DeliveryMessage> {
  for await (const event of eventsSince(events, endpoint, since)) {
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
const sendAll = async (
  host: Host,
  queue: DeliveryQueue,
  messages: AsyncIterable<DeliveryMessage>,
): Promise<number> => {
  const { sleep } = pausesOf(host);
  let replayed = 0;
  let batch: DeliveryMessage[] = [];
  const send = async (): Promise<void> => {
    await queue.send(batch);
    replayed += batch.length;
    batch = [];
  };
  for await (const message of messages) {
    if (batch.length === PER_SECOND) {
      await send();
      await sleep(1_000);
    }
    batch.push(message);
  }
  if (batch.length > 0) await send();
  return replayed;
};

const replay = async (host: Host, id: string, flags: ReplayFlags): Promise<void> => {
  if (flags.since === undefined && flags.event === undefined) {
    throw new UsageError('Select the events to replay with --since or --event.');
  }
  const found = await findEndpoint(host, id, flags);
  const { endpoint, stage } = found;
  if (endpoint.disabled) {
    throw new OperatorError(`The endpoint ${id} is disabled: enable it first with \`webhooks enable\`.`);
  }
  await confirmChange(host, 'Replaying events to', found, flags);
  const messages = messagesOf(found, endpoint, flags);
  const { command, ids } = changeOf('replay', found);
  const since = flags.since === undefined ? undefined : isoTime(flags.since);
  const replayed = await recordChange(
    host,
    stage,
    { command, ids: { ...ids, since, eventId: flags.event } },
    () => sendAll(host, deliveryQueueOf(stage, host), messages),
    (count) => ({ replayed: count }),
  );
  if (replayed === 0 && flags.event !== undefined) {
    throw new OperatorError(
      `The event log of ${endpoint.storeId} in ${endpoint.mode} mode has no event ${flags.event}: it keeps events for 30 days.`,
    );
  }
  await print(host, flags.json, { id, replayed }, [
    `Events replayed to ${id}: ${replayed}. Look at \`webhooks deliveries ${id}\`.`,
  ]);
};

const HELP = `
Examples:
  npm run operate -- webhooks replay we_0123456789abcdefghijABCD --since 2026-11-20T14:00:00Z
  npm run operate -- webhooks replay we_0123456789abcdefghijABCD --event evt_0123456789abcdef0123456789abcdef

It sends stored events again, at most ${PER_SECOND} a second, each with its old id and a new schedule of attempts. A receiver ignores
the ids that it has handled. The endpoint's filter of types applies to --since. With --event, the command reads the event
log from its oldest event: add --since to begin later.`;

/** `webhooks replay`: sends stored events to an endpoint again. */
export const replayWebhookCommand = (host: Host): Command =>
  withYes(stageCommand('replay', 'send stored events to an endpoint again', HELP))
    .argument('<id>', 'the id of the endpoint')
    .option('--since <time>', 'all events recorded since then, such as 2026-11-20T14:00:00Z', parseTime)
    .option('--event <id>', 'one event', parseEventId)
    .action((id: string, flags: ReplayFlags) => replay(host, id, flags));
