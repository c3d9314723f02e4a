import { randomUUID } from 'node:crypto';
import { type CloudWatchLogsClient, PutLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { Clock } from '../core/clock.ts';
import { describeFailure } from '../core/failure.ts';
import { logger } from '../core/telemetry.ts';
import { MERCHANT_AUDIT_STREAM } from './merchant-audit-stream.ts';
import type { WebhookEndpoint } from './endpoint.ts';

/** Records a change of an endpoint that a merchant made with an API key. Never throws: the change is made. */
export type AuditChange = (
  change: 'create' | 'update' | 'remove' | 'rotate',
  endpoint: WebhookEndpoint,
  keyId: string,
) => Promise<void>;

/** The response, which has the secret, must not wait longer: the change is made. */
const TIMEOUT_MS = 800;

/**
 * Records changes in the audit log, in the form of an operator's command. A record has ids only: the path of an address may be
 * a secret. If CloudWatch Logs does not store a record, the log of the function has it.
 *
 * @param logGroupName absent on the local stage, which has no audit log
 */
export const createAuditChange =
  (client: Pick<CloudWatchLogsClient, 'send'>, logGroupName: string | undefined, now: Clock): AuditChange =>
  async (change, { endpointId, storeId, mode }, keyId) => {
    if (logGroupName === undefined) return;
    const timestamp = now();
    const record = {
      changeId: randomUUID(),
      at: new Date(timestamp).toISOString(),
      caller: `key ${keyId}`,
      command: `webhooks ${change}`,
      ids: { endpointId, storeId, mode },
      outcome: 'done',
    };
    const logEvents = [{ timestamp, message: JSON.stringify(record) }];
    try {
      await client.send(
        new PutLogEventsCommand({ logGroupName, logStreamName: MERCHANT_AUDIT_STREAM, logEvents }),
        { abortSignal: AbortSignal.timeout(TIMEOUT_MS) },
      );
    } catch (error) {
      logger.error('not audited', { ...record, cause: describeFailure(error) });
    }
  };
