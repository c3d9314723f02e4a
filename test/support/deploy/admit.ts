import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import type { Step } from '../workflow-files.ts';

/** The folder of the action that admits the artifact of a deployment. */
export const ADMISSION = '.github/actions/admit-assembly';

const { runs } = load(readFileSync(join(ADMISSION, 'action.yml'), 'utf8')) as {
  readonly runs: { readonly steps: readonly Step[] };
};

/** Runs the block of the action as GitHub does, in a folder with the artifact `cdk.out`. It needs bash, find and jq. */
export const admit = (folder: string, STAGE: string) => {
  const block = join(folder, 'block.sh');
  writeFileSync(block, runs.steps[0]?.run ?? '');
  const env = { STAGE, GITHUB_ACTION_PATH: resolve(ADMISSION), PATH: '/usr/bin:/bin' };
  const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', block], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, stdout };
};
