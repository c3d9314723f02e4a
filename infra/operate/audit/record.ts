import { randomUUID } from 'node:crypto';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { printable } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Host } from '../options.ts';
import { isoTime } from '../output.ts';
import type { Stage } from '../stage.ts';
import { AUDIT_CLIENT, type AuditFields, auditFailure, type AuditRecord, openAuditLog } from './audit-log.ts';

/** A change that an operator makes to a stage. */
export interface AuditedChange {
  /** The words of the command, such as `keys revoke`. */
  readonly command: string;
  /** What it changes. Pass ids, counts and limits only. */
  readonly ids: AuditFields;
}

/** The ids of a list that a record holds. An event of CloudWatch Logs has at most 1 MB. */
const LISTED_MAX = 1_000;

/** API keys, signing secrets and e-mail addresses. No command passes one: this guards against a mistake. */
const CONFIDENTIAL = /cck_|whsec_|@/;

const withheld = (text: string): string => (CONFIDENTIAL.test(text) ? 'withheld' : text);

const safe = (fields: AuditFields): AuditFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (typeof value === 'string') return [name, withheld(value)];
      return [name, Array.isArray(value) ? value.slice(0, LISTED_MAX).map(withheld) : value];
    }),
  ) as AuditFields;

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
 * Makes a change and records it in the audit log of a deployed stage: before the change, so that none is unrecorded, and
 * after it, with its result. The local stage has no audit log.
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
  const nowMs = now();
  const begin = async (): Promise<AuditRecord> => {
    const caller = await findCaller();
    const at = isoTime(nowMs);
    const record = { changeId: randomUUID(), at, caller, command, ids: safe(ids), outcome: 'begun' } as const;
    await log.write(record, nowMs);
    return record;
  };
  const record = await begin().catch((error: unknown) => {
    const reason = auditFailure(error, 'logs:PutLogEvents', log.logGroup);
    throw new OperatorError(`Nothing was changed, because the change cannot be recorded: ${reason}`);
  });
  // The change is made: a missing record must not hide its result, such as a new key.
  const end = (outcome: 'done' | 'failed', result: AuditFields): Promise<void> =>
    log
      .write({ ...record, outcome, result: safe(result) }, Math.max(nowMs, now()))
      .catch((error: unknown) => {
        const reason = auditFailure(error, 'logs:PutLogEvents', log.logGroup);
        stderr.write(
          printable(`The end of the change ${record.changeId} is not in the audit log: ${reason}`) + '\n',
        );
      });
  const result = await make().catch(async (error: unknown) => {
    await end('failed', {});
    throw error;
  });
  await end('done', resultOf(result));
  return result;
};
