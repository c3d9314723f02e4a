import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Action } from '../command.ts';
import { type Columns, table } from '../output.ts';
import { explainCredentials, regionOf } from '../stage.ts';
import { isAccessDenied } from '../../../lib/core/errors.ts';
import { CHECKS, type Finding } from './checks.ts';
import type { PREFLIGHT } from './commands.ts';
import { readPlannedStack } from './planned-stack.ts';

interface Row extends Finding {
  readonly check: string;
}

const COLUMNS: Columns<Row> = {
  CHECK: ({ check }) => check,
  RESULT: ({ result }) => result,
  REMARK: ({ remark }) => remark,
};

/** @throws OperatorError if there are no credentials, or if AWS rejects them */
const findAccount = async (client: STSClient): Promise<string> => {
  const { Account = '' } = await client.send(new GetCallerIdentityCommand({})).catch((error: unknown) => {
    const reason = explainCredentials(error);
    throw reason === undefined ? error : new OperatorError(reason);
  });
  return Account;
};

export const preflight: Action<typeof PREFLIGHT> = async ({ assembly }, { stdout }) => {
  const planned = readPlannedStack(assembly);
  const client = new STSClient({});
  const region = await regionOf(client);
  const account = await findAccount(client);
  const run = async ([check, find]: (typeof CHECKS)[number]): Promise<Row> => {
    const finding = find({ planned, account, region }).catch((error: unknown): Finding => {
      if (!isAccessDenied(error)) throw error;
      return { result: 'unknown', remark: `Your role may not read it: ${(error as Error).message}` };
    });
    return { check, ...(await finding) };
  };
  const checks = await Promise.all(CHECKS.map(run));
  const failed = checks.filter(({ result }) => result === 'fails').length;
  return {
    json: { stack: planned.name, account, region, checks },
    lines: [
      `The stack ${planned.name} in the account ${account} in ${region}:`,
      ...table(stdout, COLUMNS, checks, ''),
    ],
    failure:
      failed === 0
        ? undefined
        : `The deployment would fail: correct ${counted(failed, 'check')}, and run this again.`,
  };
};
