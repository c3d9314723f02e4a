import { DAY_MS } from '../../../lib/core/durations.ts';
import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { wakeUp } from '../../../lib/webhooks/wake-up.ts';
import type { Run } from '../command.ts';
import { isoTime } from '../output.ts';
import type { Stores } from '../stores.ts';
import type { ENABLE_WEBHOOK } from './commands.ts';
import { confirmChange, endpointStateJson, idsOf, updateEndpoint } from './endpoint.ts';

/** Longer than an endpoint may fail before it is disabled, five days, and the attempts for one event, about three. */
const UNDELIVERED_MAX_MS = 9 * DAY_MS;

const DELIVERIES_MAX = 10_000;

/**
 * The time of the first event that a disabled endpoint missed, or `undefined` if the endpoint is enabled. The event that got a
 * 410 is older than the disabling.
 */
const findMissedSince = async (
  { endpointId, disabled }: WebhookEndpoint,
  { deliveries }: Stores,
): Promise<string | undefined> => {
  if (!disabled) return undefined;
  const sinceMs = disabled.atMs - UNDELIVERED_MAX_MS;
  const options = { failedOnly: true, sinceMs, limit: DELIVERIES_MAX };
  const undelivered = await deliveries.listOf(endpointId, options);
  // The list has the newest: older ones may be missing.
  if (undelivered.length === DELIVERIES_MAX) return isoTime(sinceMs);
  return isoTime(Math.min(disabled.atMs, ...undelivered.map(({ recordedAtMs }) => recordedAtMs)));
};

export const run: Run<typeof ENABLE_WEBHOOK> = async ({ endpoint }, context) => {
  const { stores, now } = context;
  const id = endpoint.endpointId;
  // Before the change: an unreadable delivery then changes nothing.
  const missedSince = await findMissedSince(endpoint, stores);
  await confirmChange('Enabling', endpoint, context);
  const enabled = await context.change(idsOf(endpoint), async () => {
    const updated = await updateEndpoint(endpoint, { disabled: null }, stores);
    await stores.due.put([wakeUp('drain', updated, now())]);
    return updated;
  });
  const lines = [`The endpoint ${id} is enabled. Its parked deliveries follow within three minutes.`];
  if (missedSince !== undefined) {
    lines.push(`Send the events that it missed with \`webhooks replay ${id} --since ${missedSince}\`.`);
  }
  return { json: { ...endpointStateJson(enabled), missedSince }, lines };
};
