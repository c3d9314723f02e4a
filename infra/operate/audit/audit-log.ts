import { randomUUID } from 'node:crypto';
import {
  CloudWatchLogsClient,
  paginateFilterLogEvents,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod/mini';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { isAccessDenied, isUnavailable } from '../../../lib/core/errors.ts';
import { MERCHANT_AUDIT_STREAM } from '../../../lib/webhooks/merchant-audit-stream.ts';
import { AUDIT_STREAM } from '../../audit-stream.ts';
import { OperatorError } from '../../operator-error.ts';
import type { AuditFields, Context } from '../command.ts';
import { isoTime } from '../output.ts';
import { outputOf, type Stage } from '../stage.ts';

const fieldsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())]));

/** A line of the audit log. A change has two with its id: one before it, one after it with the result. */
const recordSchema = z.object({
  changeId: z.string(),
  /** When the change began. */
  at: z.iso.datetime(),
  /** The ARN of the caller, as STS knows it, or the API key of a merchant. */
  caller: z.string(),
  /** The words of the command, such as `keys revoke`. */
  command: z.string(),
  ids: fieldsSchema,
  outcome: z.enum(['begun', 'done', 'failed']),
  /** Ids and counts that are known only after the change. */
  result: z.optional(fieldsSchema),
});

export type AuditRecord = Readonly<z.output<typeof recordSchema>>;

/** The limits of the calls to CloudWatch Logs and to STS. */
const AUDIT_CLIENT = {
  maxAttempts: 3,
  requestHandler: { requestTimeout: 3_000, throwOnRequestTimeout: true },
} as const;

/** The reason of a failed call, as the end of a sentence. */
const auditFailure = (error: unknown, action: string, logGroup: string): string => {
  if (error instanceof OperatorError) return error.message;
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  if (isAccessDenied(error)) return `these AWS credentials lack ${action} on the log group ${logGroup}.`;
  if (name === 'ResourceNotFoundException')
    return `the log group ${logGroup} is missing: deploy the stage again.`;
  if (isUnavailable(error)) return `AWS does not respond to ${action}: check the network.`;
  return `${action} failed with ${name}: ${message.replaceAll(/\s+/g, ' ')}`;
};

/**
 * Reads all records of a deployed stage's audit log since a time, the oldest first, and counts the other lines.
 *
 * @throws OperatorError if the log cannot be read
 */
export const readAuditLog = async (stage: Stage, sinceMs: number) => {
  const logGroupName = outputOf(stage, 'AuditLogGroup');
  const client = new CloudWatchLogsClient(AUDIT_CLIENT);
  const filter = { logGroupName, logStreamNames: [AUDIT_STREAM, MERCHANT_AUDIT_STREAM], startTime: sinceMs };
  const records: AuditRecord[] = [];
  let unreadable = 0;
  try {
    for await (const { events = [] } of paginateFilterLogEvents({ client }, filter)) {
      // The log may have lines of other writers.
      const read = events.flatMap(
        ({ message = '' }) => recordSchema.safeParse(parseJson(message)).data ?? [],
      );
      records.push(...read);
      unreadable += events.length - read.length;
    }
  } catch (error) {
    const reason = auditFailure(error, 'logs:FilterLogEvents', logGroupName);
    throw new OperatorError(`The audit log cannot be read: ${reason}`);
  }
  return { records, unreadable };
};

/** Stores a record. For an error, see {@link auditFailure}. */
const writeRecord = async (
  client: CloudWatchLogsClient,
  logGroupName: string,
  record: AuditRecord,
  timestamp: number,
): Promise<void> => {
  const at = { logGroupName, logStreamName: AUDIT_STREAM };
  const logEvents = [{ timestamp, message: JSON.stringify(record) }];
  const { rejectedLogEventsInfo } = await client.send(new PutLogEventsCommand({ ...at, logEvents }));
  if (!rejectedLogEventsInfo) return;
  // A response of 200 can reject the event: more than 2 hours in the future, or more than 14 days old.
  throw new OperatorError("CloudWatch Logs rejects the record's time: correct this machine's clock.");
};

/** The most ids of a list in a record. An event of CloudWatch Logs has at most 1 MB. */
const LISTED_MAX = 1_000;

/** The forms of API keys, signing secrets and e-mail addresses. */
const CONFIDENTIAL = /cck_|whsec_|@/;

const safeText = (text: string): string => (CONFIDENTIAL.test(text) ? 'withheld' : text);

/** Fields without confidential texts. No command passes one: this guards against a mistake. */
export const safeFields = (fields: AuditFields): AuditRecord['ids'] => {
  const safe: AuditRecord['ids'] = {};
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') safe[name] = safeText(value);
    else if (typeof value === 'number') safe[name] = value;
    else if (value !== undefined) safe[name] = value.slice(0, LISTED_MAX).map(safeText);
  }
  return safe;
};

/** The ARN of the operator. Every principal may ask STS for it. */
const findCaller = async (): Promise<string> =>
  (await new STSClient(AUDIT_CLIENT).send(new GetCallerIdentityCommand())).Arn ?? 'unknown';

/**
 * Makes a change, and records it in the audit log of a deployed stage. The record before it ensures that no change is
 * missing. The record after it has the result. The local stage has no audit log.
 *
 * @param command the words of the command
 * @param ids ids, counts and limits of the items that it changes
 * @param make makes the change. It throws if it changes nothing
 * @param resultOf the ids and counts that are known only after the change
 * @throws OperatorError if the change cannot be recorded. Nothing was changed
 */
export const recordChange = async <Made>(
  { now, say, stage }: Pick<Context, 'now' | 'say' | 'stage'>,
  command: string,
  ids: AuditFields,
  make: () => Promise<Made>,
  resultOf: (made: Made) => AuditFields = () => ({}),
): Promise<Made> => {
  if (stage.localEndpoint !== undefined) return make();
  const logGroup = outputOf(stage, 'AuditLogGroup');
  const client = new CloudWatchLogsClient(AUDIT_CLIENT);
  const rejectOn = (action: string) => (error: unknown) => {
    const reason = auditFailure(error, action, logGroup);
    throw new OperatorError(`Nothing was changed, because the change cannot be recorded: ${reason}`);
  };
  const nowMs = now();
  const caller = await findCaller().catch(rejectOn('sts:GetCallerIdentity'));
  const record = { changeId: randomUUID(), at: isoTime(nowMs), caller, command, ids: safeFields(ids) };
  const begun = { ...record, outcome: 'begun' } as const;
  await writeRecord(client, logGroup, begun, nowMs).catch(rejectOn('logs:PutLogEvents'));
  // The change is made: a missing record must not hide its result, such as a new key.
  const end = async (outcome: 'done' | 'failed', result: AuditFields): Promise<void> => {
    try {
      await writeRecord(client, logGroup, { ...record, outcome, result: safeFields(result) }, now());
    } catch (error) {
      const reason = auditFailure(error, 'logs:PutLogEvents', logGroup);
      say(`The audit log lacks the end of the change ${record.changeId}: ${reason}`);
    }
  };
  const made = await make().catch(async (error: unknown) => {
    await end('failed', {});
    throw error;
  });
  await end('done', resultOf(made));
  return made;
};
