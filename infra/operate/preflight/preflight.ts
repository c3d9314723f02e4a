import { join } from 'node:path';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ROOT } from '../../core/project.ts';
import { counted } from '../../terminal/counted.ts';
import type { Action } from '../frame/command.ts';
import { checkTable, orReason, runChecks } from '../shared/findings.ts';
import { regionOf, SILENT_LOGGER } from '../target/stage.ts';
import { CHECKS } from './checks.ts';
import type { PREFLIGHT } from './commands.ts';
import { readPlannedStack } from './planned-stack.ts';

const ASSEMBLY = join(ROOT, 'cdk.out');

const failureOf = (failed: number, unavailable: number): string | undefined => {
  if (failed > 0)
    return `The deployment would fail: correct ${counted(failed, 'check')}, and run this again.`;
  return unavailable > 0 ? `AWS did not answer ${counted(unavailable, 'check')}: run this again.` : undefined;
};

export const preflight: Action<typeof PREFLIGHT> = async ({ assembly = ASSEMBLY }, { stdout }) => {
  const planned = readPlannedStack(assembly);
  const client = new STSClient({ logger: SILENT_LOGGER });
  const region = await regionOf(client);
  const { Account: account = '' } = await client.send(new GetCallerIdentityCommand({}));
  const checks = await runChecks(CHECKS, (check) => orReason(check({ planned, account, region })));
  const countOf = (each: string) => checks.filter(({ result }) => result === each).length;
  return {
    json: { stack: planned.name, account, region, checks },
    lines: [
      `The stack ${planned.name} in the account ${account} in ${region}:`,
      ...checkTable(stdout, checks),
    ],
    failure: failureOf(countOf('fails'), countOf('unavailable')),
  };
};
