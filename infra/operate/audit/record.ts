import { randomUUID } from 'node:crypto';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { OperatorError } from '../../operator-error.ts';
import type { AuditFields, Context } from '../command.ts';
import { isoTime } from '../output.ts';
import { AUDIT_CLIENT, type AuditRecord, auditFailure, openAuditLog } from './audit-log.ts';

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
const findCaller = async (): Promise<string> => {
  const sts = new STSClient(AUDIT_CLIENT);
  try {
    return (await sts.send(new GetCallerIdentityCommand())).Arn ?? 'unknown';
  } finally {
    sts.destroy();
  }
};

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
  if (!stage.outputs) return make();
  const log = openAuditLog(stage);
  const reasonOf = (error: unknown, action: string): string => auditFailure(error, action, log.logGroup);
  const rejectOn = (action: string) => (error: unknown) => {
    throw new OperatorError(
      `Nothing was changed, because the change cannot be recorded: ${reasonOf(error, action)}`,
    );
  };
  const nowMs = now();
  const caller = await findCaller().catch(rejectOn('sts:GetCallerIdentity'));
  const record = { changeId: randomUUID(), at: isoTime(nowMs), caller, command, ids: safeFields(ids) };
  await log.write({ ...record, outcome: 'begun' }, nowMs).catch(rejectOn('logs:PutLogEvents'));
  // The change is made: a missing record must not hide its result, such as a new key.
  const end = (outcome: 'done' | 'failed', result: AuditFields): Promise<void> =>
    log.write({ ...record, outcome, result: safeFields(result) }, now()).catch((error: unknown) => {
      const reason = reasonOf(error, 'logs:PutLogEvents');
      say(`The audit log lacks the end of the change ${record.changeId}: ${reason}`);
    });
  const made = await make().catch(async (error: unknown) => {
    await end('failed', {});
    throw error;
  });
  await end('done', resultOf(made));
  return made;
};
