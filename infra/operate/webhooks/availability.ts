import type { Command } from 'commander';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { wakeUp } from '../../../lib/webhooks/wake-up.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, stageCommand, withYes, type YesFlag } from '../options.ts';
import { optionalIsoTime, print } from '../output.ts';
import { endpointStateJson } from './endpoint-json.ts';
import { changeOf, confirmChange, findEndpoint, unknownEndpoint } from './found-endpoint.ts';

type Flags = CommonFlags & YesFlag;

const disable = async (host: Host, id: string, flags: Flags): Promise<void> => {
  const found = await findEndpoint(host, id, flags);
  await confirmChange(host, 'Disabling', found, flags);
  // The reason and the time of an earlier disabling stay.
  const disabled = found.endpoint.disabled ?? { atMs: host.now(), reason: 'operator' };
  const endpoint = await recordChange(host, found.stage, changeOf('disable', found), async () => {
    const updated = await found.endpoints.update(found.endpoint, { disabled });
    if (!updated) throw unknownEndpoint(id);
    return updated;
  });
  await print(host, flags.json, endpointStateJson(endpoint), [
    `The endpoint ${id} receives nothing until you enable it.`,
  ]);
};

/** Longer than an endpoint may fail before it is disabled, five days, and the attempts for one event, about three. */
const UNDELIVERED_MAX_MS = 9 * DAY_MS;

const DELIVERIES_MAX = 10_000;

/**
 * The time of the first event that a disabled endpoint missed, or `undefined` if the endpoint is enabled. The event that got a
 * 410 is older than the disabling.
 */
const missedSinceMs = async ({
  deliveries,
  endpoint: { endpointId, disabled },
}: Awaited<ReturnType<typeof findEndpoint>>): Promise<number | undefined> => {
  if (!disabled) return undefined;
  const sinceMs = disabled.atMs - UNDELIVERED_MAX_MS;
  const options = { failedOnly: true, sinceMs, limit: DELIVERIES_MAX };
  const undelivered = await deliveries.listOf(endpointId, options);
  // The list has the newest: older ones may be missing.
  if (undelivered.length === DELIVERIES_MAX) return sinceMs;
  return undelivered.reduce((firstMs, { recordedAtMs }) => Math.min(firstMs, recordedAtMs), disabled.atMs);
};

const enable = async (host: Host, id: string, flags: Flags): Promise<void> => {
  const found = await findEndpoint(host, id, flags);
  // Before the change: an unreadable delivery then changes nothing.
  const missedSince = optionalIsoTime(await missedSinceMs(found));
  await confirmChange(host, 'Enabling', found, flags);
  const endpoint = await recordChange(host, found.stage, changeOf('enable', found), async () => {
    const updated = await found.endpoints.update(found.endpoint, { disabled: null });
    if (!updated) throw unknownEndpoint(id);
    await found.due.put([wakeUp('drain', updated, host.now())]);
    return updated;
  });
  const missed =
    missedSince === undefined
      ? []
      : [`Send the events that it missed with \`webhooks replay ${id} --since ${missedSince}\`.`];
  await print(host, flags.json, { ...endpointStateJson(endpoint), missedSince }, [
    `The endpoint ${id} is enabled. Its parked deliveries follow within three minutes.`,
    ...missed,
  ]);
};

const DISABLE_HELP = `
Example:
  npm run operate -- webhooks disable we_0123456789abcdefghijABCD

The service sends nothing to the endpoint from now on. It drops deliveries that become due, but the feed has every event.`;

const ENABLE_HELP = `
Example:
  npm run operate -- webhooks enable we_0123456789abcdefghijABCD

It also closes the breaker of an endpoint that fails. Parked deliveries follow, at most 10 a second. The service does
not send the deliveries that it dropped while the endpoint was disabled: use \`webhooks replay\`.`;

/** `webhooks disable` or `webhooks enable`: stops or resumes the deliveries to an endpoint. */
export const webhookAvailabilityCommand = (host: Host, name: 'enable' | 'disable'): Command => {
  const [description, help, run] =
    name === 'enable'
      ? (['resume the deliveries to an endpoint', ENABLE_HELP, enable] as const)
      : (['stop the deliveries to an endpoint', DISABLE_HELP, disable] as const);
  return withYes(stageCommand(name, description, help))
    .argument('<id>', 'the id of the endpoint')
    .action((id: string, flags: Flags) => run(host, id, flags));
};
