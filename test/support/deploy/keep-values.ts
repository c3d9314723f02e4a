import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { expect } from 'vitest';
import { RELEASE } from '../../../infra/example-stages/synthesise.ts';
import type { Release } from '../../../infra/stage/release.ts';
import { stageConfig } from '../../../infra/stage/stage-config.ts';
import type { StageContext } from '../../../infra/stage/stage-context.ts';
import { type StageValues, stageValues } from '../../../infra/stage/stage-values.ts';

const CHECK = resolve('.github/actions/keep-values/check.sh');

export const valuesOf = (context: StageContext): StageValues => stageValues(context, stageConfig(context));

/** The response of CloudFormation: the values of a stack, one that has none, or why there is none. */
export type Deployed = StageValues | 'without values' | { readonly error: string };

/** The stage, the status of its stack, the release that it runs, and that of the artifact. */
interface Deployment {
  readonly stage?: string;
  readonly status?: string;
  readonly running?: Release;
  readonly next?: Release;
}

const responseOf = (
  deployed: Exclude<Deployed, { error: string }>,
  { status: StackStatus = 'UPDATE_COMPLETE', running = RELEASE }: Deployment,
): string => {
  const Outputs = [{ OutputKey: 'BaseUrl', OutputValue: 'https://api.example.com/' }];
  const add = (OutputKey: string, value: object) =>
    Outputs.push({ OutputKey, OutputValue: JSON.stringify(value) });
  if (deployed !== 'without values') add('StageValues', deployed);
  add('Release', running);
  return JSON.stringify({ Stacks: [{ StackStatus, Outputs }] });
};

/** Checks the deployment of an artifact with these values over a stack. Stands in for the AWS CLI. */
export const check = (deployed: Deployed, planned: StageValues | undefined, deployment: Deployment = {}) => {
  const { stage = 'prod', next = RELEASE } = deployment;
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-values-'));
  const stack = `CartCheckout-${stage}`;
  const write = (name: string, json: object): void => writeFileSync(join(folder, name), JSON.stringify(json));
  mkdirSync(join(folder, 'cdk.out'));
  write('cdk.out/manifest.json', { artifacts: { Tree: {}, [stack]: { type: 'aws:cloudformation:stack' } } });
  const Outputs = planned && {
    StageValues: { Value: JSON.stringify(planned) },
    Release: { Value: JSON.stringify(next) },
  };
  write(`cdk.out/${stack}.template.json`, { Outputs });
  const isError = typeof deployed === 'object' && 'error' in deployed;
  writeFileSync(join(folder, 'response'), isError ? deployed.error : responseOf(deployed, deployment));
  const standIn = `#!/bin/sh\n[ "$*" = 'cloudformation describe-stacks --stack-name ${stack} --output json' ] || exit 9\n`;
  writeFileSync(
    join(folder, 'aws'),
    `${standIn}${isError ? 'cat response >&2; exit 254' : 'cat response'}\n`,
    {
      mode: 0o755,
    },
  );
  const PATH = [folder, '/usr/bin', '/bin'].join(delimiter);
  const { status, stdout, stderr } = spawnSync('bash', [CHECK], {
    cwd: folder,
    env: { PATH },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

/** The names that a deployment would lose. Empty if the check admits it. */
export const lossesOf = (deployed: Deployed, planned: StageValues, stage = 'prod'): string[] => {
  const { status, stdout, stderr } = check(deployed, planned, { stage });
  const losses = Array.from(stderr.matchAll(/^ {2}(\w+)=.* would become /gm), ([, name]) => name ?? '');
  expect({ status, stdout, stderr }).toStrictEqual(
    losses.length === 0
      ? { status: 0, stdout: expect.stringMatching(/^The deployment loses no value of /), stderr: '' }
      : {
          status: 1,
          stdout: '',
          stderr: expect.stringMatching(/^::error::The deployment would lose values of /),
        },
  );
  return losses;
};
