import { randomUUID } from 'node:crypto';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { printable } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Host } from '../options.ts';
import { isoTime } from '../output.ts';
import type { Stage } from '../stage.ts';
import { AUDIT_CLIENT, type AuditFields, auditFailure, openAuditLog } from './audit-log.ts';
import { safeFields } from './safe-fields.ts';

/** A change that an operator makes to a stage. */
export interface AuditedChange {
  /** The words of the command, such as `keys revoke`. */
  readonly command: string;
  /** Ids, counts and limits of the items that it changes. */
  readonly ids: AuditFields;
}

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
 * @param make makes the change. It throws if it changes nothing
 * @param resultOf the ids and counts that are known only after the change
 * @throws OperatorError if the change cannot be recorded. Nothing was changed
 */
export const recordChange = async <Result>(
  { now, stderr }: Pick<Host, 'now' | 'stderr'>,
  stage: Stage,
  { command, ids }: AuditedChange,
  make: () => Promise<Result>,
  resultOf: (result: Result) => AuditFields = () => ({}),
): Promise<Result> => {
  if (!stage.outputs) return make();
  const log = openAuditLog(stage);
  const explain = (error: unknown, action: string): string => auditFailure(error, action, log.logGroup);
  const rejectOn = (action: string) => (error: unknown) => {
    throw new OperatorError(
      `Nothing was changed, because the change cannot be recorded: ${explain(error, action)}`,
    );
  };
  const nowMs = now();
  const caller = await findCaller().catch(rejectOn('sts:GetCallerIdentity'));
  const record = { changeId: randomUUID(), at: isoTime(nowMs), caller, command, ids: safeFields(ids) };
  await log.write({ ...record, outcome: 'begun' }, nowMs).catch(rejectOn('logs:PutLogEvents'));
  // The change is made: a missing record must not hide its result, such as a new key.
  const end = (outcome: 'done' | 'failed', result: AuditFields): Promise<void> =>
    log.write({ ...record, outcome, result: safeFields(result) }, now()).catch((error: unknown) => {
      const reason = explain(error, 'logs:PutLogEvents');
      stderr.write(
        `${printable(`The audit log lacks the end of the change ${record.changeId}: ${reason}`)}\n`,
      );
    });
  const result = await make().catch(async (error: unknown) => {
    await end('failed', {});
    throw error;
  });
  await end('done', resultOf(result));
  return result;
};
