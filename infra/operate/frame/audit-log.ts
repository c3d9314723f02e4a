import { randomUUID } from 'node:crypto';
import {
  CloudWatchLogsClient,
  paginateFilterLogEvents,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod/mini';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { isoTime } from '../../../lib/core/timestamps.ts';
import { MERCHANT_AUDIT_STREAM } from '../../../lib/endpoints/audit-log-stream.ts';
import { AUDIT_STREAM } from '../../stage/audit-log-stream.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { SERVICE_CONNECTIONS } from '../target/connections.ts';
import { outputOf, type Stage } from '../target/stage.ts';
import type { AuditFields, Context } from './context.ts';

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
const AUDIT_CLIENT = { maxAttempts: 3, requestHandler: SERVICE_CONNECTIONS };

/** The audit log of a deployed stage. */
const auditLogOf = (stage: Stage) => {
  const logGroupName = outputOf(stage, 'AuditLogGroup');
  const reasonOf = async (error: Error, action: string): Promise<string> => {
    if (error instanceof OperatorError) return error.message;
    const { explainCall } = await import('../../terminal/explain-error.ts');
    const explained = await explainCall(error, 'AWS', {
      at: ` on ${action}`,
      remedy: 'the network and its proxies',
    });
    return (
      explained ??
      `${action} on the log group ${logGroupName} failed: ${error.message.replaceAll(/\s+/g, ' ')}`
    );
  };
  return {
    logGroupName,
    client: new CloudWatchLogsClient(AUDIT_CLIENT),
    /** Makes a call. A failure is an OperatorError with its consequence and its reason. */
    call: <Result>(action: string, consequence: string, send: () => Promise<Result>): Promise<Result> =>
      send().catch(async (error: Error) => {
        throw new OperatorError(`${consequence}: ${await reasonOf(error, action)}`, { cause: error });
      }),
  };
};

/**
 * Reads all records of a deployed stage's audit log since a time, the oldest first, and counts the other lines.
 *
 * @throws OperatorError if the log cannot be read
 */
export const readAuditLog = async (stage: Stage, sinceMs: number) => {
  const { logGroupName, client, call } = auditLogOf(stage);
  const filter = { logGroupName, logStreamNames: [AUDIT_STREAM, MERCHANT_AUDIT_STREAM], startTime: sinceMs };
  const messages: string[] = [];
  await call('logs:FilterLogEvents', 'The audit log cannot be read', async () => {
    for await (const { events = [] } of paginateFilterLogEvents({ client }, filter)) {
      messages.push(...events.map(({ message = '' }) => message));
    }
  });
  // The log may have lines of other writers.
  const records = messages.flatMap((message) => recordSchema.safeParse(parseJson(message)).data ?? []);
  return { records, unreadable: messages.length - records.length };
};

/** The most ids of a list in a record. An event of CloudWatch Logs has at most 1 MB. */
const LISTED_MAX = 1_000;

/** The forms of API keys, signing secrets and e-mail addresses. */
const CONFIDENTIAL = /cck_|whsec_|@/;

/** Fields without confidential texts. No command passes one: this guards against a mistake. */
export const safeFields = (fields: AuditFields): AuditRecord['ids'] => {
  const safe = (_name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, LISTED_MAX);
    return typeof value === 'string' && CONFIDENTIAL.test(value) ? 'withheld' : value;
  };
  return JSON.parse(JSON.stringify(fields, safe)) as AuditRecord['ids'];
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
  if (stage.isLocal) return make();
  const { logGroupName, client, call } = auditLogOf(stage);
  const at = isoTime(now());
  const unrecorded = 'Nothing was changed, because the change cannot be recorded';
  const caller = await call('sts:GetCallerIdentity', unrecorded, findCaller);
  const change = { changeId: randomUUID(), at, caller, command, ids: safeFields(ids) };
  const write = (record: AuditRecord, consequence: string): Promise<void> =>
    call('logs:PutLogEvents', consequence, async () => {
      const logEvents = [{ timestamp: now(), message: JSON.stringify(record) }];
      const put = new PutLogEventsCommand({ logGroupName, logStreamName: AUDIT_STREAM, logEvents });
      // A response of 200 can reject the event: more than 2 hours in the future, or more than 14 days old.
      if ((await client.send(put)).rejectedLogEventsInfo)
        throw new OperatorError("CloudWatch Logs rejects the record's time: correct this machine's clock.");
    });
  await write({ ...change, outcome: 'begun' }, unrecorded);
  // The change is made: a missing record must not hide its result, such as a new key.
  const unended = `The audit log lacks the end of the change ${change.changeId}`;
  const end = (outcome: 'done' | 'failed', result: AuditFields): Promise<void> =>
    write({ ...change, outcome, result: safeFields(result) }, unended).catch((error: Error) =>
      say(error.message),
    );
  const made = await make().catch(async (error: unknown) => {
    await end('failed', {});
    throw error;
  });
  await end('done', resultOf(made));
  return made;
};
