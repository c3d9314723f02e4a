import { CloudFormationClient, paginateDescribeStacks, type Stack } from '@aws-sdk/client-cloudformation';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { stackNameOf } from '../../stage/stage-name.ts';
import { counted } from '../../terminal/counted.ts';
import type { Action } from '../frame/command.ts';
import { by, minuteOf } from '../frame/output.ts';
import { type Columns, table } from '../frame/table.ts';
import { regionOf, SILENT_LOGGER } from '../target/stage.ts';
import type { STAGES } from './commands.ts';
import { unusedStageUsd } from './unused-stage-cost.ts';

interface DeployedStage {
  readonly stage: string;
  readonly status: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly unchangedDays: number;
  readonly usdPerMonth: number;
}

const COLUMNS: Columns<DeployedStage> = {
  STAGE: ({ stage }) => stage,
  STATE: ({ status }) => status,
  'CREATED (UTC)': ({ createdAtMs }) => minuteOf(createdAtMs),
  'CHANGED (UTC)': ({ updatedAtMs }) => minuteOf(updatedAtMs),
  'DAYS UNCHANGED': ({ unchangedDays }) => String(unchangedDays),
  'USD A MONTH, UNUSED': ({ usdPerMonth }) => usdPerMonth.toFixed(2),
};

const PREFIX = stackNameOf('');

const stageOf = (
  { StackName = '', StackStatus, CreationTime, LastUpdatedTime, Outputs = [] }: Stack,
  nowMs: number,
): DeployedStage => {
  const stage = StackName.slice(PREFIX.length);
  const createdAtMs = CreationTime?.getTime() ?? 0;
  const updatedAtMs = LastUpdatedTime?.getTime() ?? createdAtMs;
  const outputs = new Set(Outputs.map(({ OutputKey }) => OutputKey));
  return {
    stage,
    status: String(StackStatus),
    createdAtMs,
    updatedAtMs,
    unchangedDays: Math.floor((nowMs - updatedAtMs) / DAY_MS),
    usdPerMonth: unusedStageUsd(stage, outputs),
  };
};

export const list: Action<typeof STAGES.list> = async (_, { stdout, now }) => {
  const client = new CloudFormationClient({ logger: SILENT_LOGGER });
  const region = await regionOf(client);
  const stacks: Stack[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) stacks.push(...Stacks);
  const stages = stacks
    .filter(({ StackName = '' }) => StackName.startsWith(PREFIX))
    .map((stack) => stageOf(stack, now()))
    .toSorted(by(({ updatedAtMs }) => updatedAtMs));
  const total = stages.reduce((sum, { usdPerMonth }) => sum + usdPerMonth, 0);
  return {
    json: { region, stages },
    lines: [
      ...table(stdout, COLUMNS, stages, `No stage is deployed in ${region}.`),
      ...(stages.length === 0
        ? []
        : [`${counted(stages.length, 'stage')} in ${region}: $${total.toFixed(2)} a month, unused.`]),
    ],
  };
};
