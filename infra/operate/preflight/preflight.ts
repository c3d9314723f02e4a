import { join } from 'node:path';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ROOT } from '../../core/project.ts';
import { counted } from '../../terminal/counted.ts';
import type { Action } from '../frame/command.ts';
import { type Columns, table } from '../frame/table.ts';
import { orUnknown } from '../shared/findings.ts';
import { regionOf, SILENT_LOGGER } from '../target/stage.ts';
import { CHECKS, type AccountFinding } from './checks.ts';
import type { PREFLIGHT } from './commands.ts';
import { readPlannedStack } from './planned-stack.ts';

const ASSEMBLY = join(ROOT, 'cdk.out');

interface Row extends AccountFinding {
  readonly check: string;
}

const COLUMNS: Columns<Row> = {
  CHECK: ({ check }) => check,
  RESULT: ({ result }) => result,
  REMARK: ({ remark }) => remark,
};

export const preflight: Action<typeof PREFLIGHT> = async ({ assembly = ASSEMBLY }, { stdout }) => {
  const planned = readPlannedStack(assembly);
  const client = new STSClient({ logger: SILENT_LOGGER });
  const region = await regionOf(client);
  const { Account: account = '' } = await client.send(new GetCallerIdentityCommand({}));
  const run = async ([check, find]: (typeof CHECKS)[number]): Promise<Row> => ({
    check,
    ...(await orUnknown(find({ planned, account, region }))),
  });
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
