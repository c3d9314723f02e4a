import { type CloudWatchLogsClient, PutLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { isoTime } from '../core/timestamps.ts';
import type { EndpointEventType } from '../events/event-types.ts';
import type { EventSink } from '../events/fan-out.ts';
import type { LoggedEvent } from '../events/logged-event.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import { MERCHANT_AUDIT_STREAM } from './audit-log-stream.ts';
import type { EndpointEvent } from './endpoint-event.ts';

/** The name of a change in its record. Where operators have a command for the change, it is the command's. */
const COMMANDS: ReadonlyMap<string, string> = new Map<EndpointEventType, string>([
  ['webhook_endpoint.created', 'webhooks create'],
  ['webhook_endpoint.updated', 'webhooks update'],
  ['webhook_endpoint.deleted', 'webhooks remove'],
  ['webhook_endpoint.secret_rotated', 'webhooks rotate'],
]);

/** A slow audit log must not hold back events. */
const TIMEOUT_MS = 800;

/** The record of a change that an API key made, in the form of an operator's. `undefined` for any other event. */
const recordOf = ({ id, type, storeId, mode, recordedAtMs, body }: LoggedEvent) => {
  const command = COMMANDS.get(type);
  if (command === undefined) return undefined;
  const { data } = JSON.parse(body) as EndpointEvent;
  if (data.changedByKeyId === undefined) return undefined;
  return {
    changeId: id,
    at: isoTime(recordedAtMs),
    caller: `key ${data.changedByKeyId}`,
    command,
    ids: { endpointId: data.id, storeId, mode },
    outcome: 'done',
  };
};

/**
 * The audit log as an event sink: it records the changes of endpoints that merchants made with an API key. A record has
 * ids only: the path of an address may be a secret. If CloudWatch Logs does not store it, the log of the function has it.
 *
 * @param logGroupName absent on the local stage, which has no audit log
 */
export const createAuditSink =
  (client: Pick<CloudWatchLogsClient, 'send'>, logGroupName: string | undefined): EventSink =>
  async (events) => {
    const records = events.map(recordOf).filter((record) => record !== undefined);
    if (logGroupName === undefined || records.length === 0) return;
    // CloudWatch Logs requires this order. Events of several logs may have another.
    const sorted = records.toSorted((a, b) => a.at.localeCompare(b.at));
    const logEvents = sorted.map((record) => ({
      timestamp: Date.parse(record.at),
      message: JSON.stringify(record),
    }));
    try {
      await client.send(
        new PutLogEventsCommand({ logGroupName, logStreamName: MERCHANT_AUDIT_STREAM, logEvents }),
        { abortSignal: AbortSignal.timeout(TIMEOUT_MS) },
      );
    } catch (error) {
      for (const record of records) logger.error('not audited', { ...record, cause: describeFailure(error) });
    }
  };
