import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { stackNameOf } from '../../stage/stage-name.ts';
import type { StageValues } from '../../stage/stage-values.ts';
import { shellQuoted } from '../../terminal/shell.ts';
import type { Action } from '../frame/command.ts';
import { minuteOf } from '../frame/output.ts';
import { type Columns, table } from '../frame/table.ts';
import { SERVICE_CONNECTIONS } from '../target/connections.ts';
import { releaseOf } from '../target/stage-release.ts';
import { outputOf } from '../target/stage.ts';
import type { STAGES } from './commands.ts';

interface Row {
  readonly name: string;
  readonly value: string;
  readonly isGiven: boolean;
}

const COLUMNS: Columns<Row> = {
  VALUE: ({ name }) => name,
  FROM: ({ isGiven }) => (isGiven ? 'stated' : 'default'),
  IS: ({ value }) => value,
};

const rowsOf = ({ given, default: byDefault }: StageValues): readonly Row[] => [
  ...Object.entries(given).map(([name, value]) => ({ name, value, isGiven: true })),
  ...Object.entries(byDefault).map(([name, value]) => ({ name, value, isGiven: false })),
];

const quoted = (text: string): string => (/^[\w.,:/@=+-]+$/.test(text) ? text : shellQuoted(text));

const deployCommand = (stageName: string, { given }: StageValues): string => {
  const values = Object.entries({ stage: stageName, ...given });
  return `npm run deploy -- ${values.map((value) => `-c ${quoted(value.join('='))}`).join(' ')}`;
};

const deployedAtOf = async (stageName: string): Promise<number | undefined> => {
  const StackName = stackNameOf(stageName);
  const { Stacks: [stack] = [] } = await new CloudFormationClient({
    requestHandler: SERVICE_CONNECTIONS,
  }).send(new DescribeStacksCommand({ StackName }));
  return (stack?.LastUpdatedTime ?? stack?.CreationTime)?.getTime();
};

export const show: Action<typeof STAGES.show> = async (_options, { stage, stdout }) => {
  const values = JSON.parse(outputOf(stage, 'StageValues')) as StageValues;
  const release = releaseOf(stage);
  const deployedAtMs = await deployedAtOf(stage.name);
  const rows = rowsOf(values);
  const command = deployCommand(stage.name, values);
  return {
    json: { stage: stage.name, ...release, deployedAtMs, values: rows, command },
    lines: [
      `The stage ${stage.name} has version ${release.version}, commit ${release.commit} of ${release.committedAt}.`,
      `Deployed by ${release.deployer}, changed at ${minuteOf(deployedAtMs)} UTC.`,
      '',
      ...table(stdout, COLUMNS, rows, ''),
      '',
      'Deploy it again, with the same values:',
      command,
    ],
  };
};
