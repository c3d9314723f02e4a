import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { tableNamesOf } from '../../infra/local-access/local-names.ts';
import { givenOperatedTables } from '../support/operators/deployed-stage.ts';
import { ALL_JOBS, type NamedJob, type Step } from '../support/workflow-files.ts';

/** A stage name that a shell would run, if a block did not quote it. */
const HOSTILE = 'pr-7"; touch hacked; $(touch hacked) #';

/** The values of the expressions in `env`. GitHub replaces them before a block runs. */
const VALUES: Readonly<Record<string, string>> = {
  'inputs.stage': HOSTILE,
  'inputs.commit': '0123456789abcdef0123456789abcdef01234567',
  'inputs.rollout': 'in-steps"; touch hacked; $(touch hacked) #',
  'github.ref_name': 'v1.2.3',
  'github.token': 'token-of-the-job',
};

const valueOf = (text: string): string =>
  text.replaceAll(/\$\{\{ (.+?) \}\}/g, (expression, name: string) => VALUES[name] ?? expression);

/** A program in place of one that reaches the cloud or a registry, or that takes minutes. It records its arguments. */
const STAND_IN = `#!/bin/sh
printf '%s\\0' "\${0##*/}" "$@" >> "$CALLS"
printf '\\n' >> "$CALLS"
# The synthesis goes on to the command line of the CDK.
if [ "\${0##*/} $1 $2" = 'npm run synth' ]; then shift 3; exec node "$ROOT/infra/synth.ts" "$@"; fi
if [ "\${0##*/}" = gh ]; then cat notes.md >> "$CALLS"; fi
`;

let standIns: string;
/** The checkout of a job: the script of the release, and the files that it reads. */
let checkout: string;

beforeAll(() => {
  standIns = mkdtempSync(join(tmpdir(), 'cart-checkout-stand-ins-'));
  for (const name of ['npm', 'npx', 'gh', 'cdk', 'docker'])
    writeFileSync(join(standIns, name), STAND_IN, { mode: 0o755 });
  checkout = mkdtempSync(join(tmpdir(), 'cart-checkout-checkout-'));
  mkdirSync(join(checkout, 'infra'));
  cpSync('infra/release-notes.ts', join(checkout, 'infra/release-notes.ts'));
  writeFileSync(join(checkout, 'package.json'), '{"type":"module","version":"1.2.3"}');
  writeFileSync(
    join(checkout, 'CHANGELOG.md'),
    '# Changelog\n\n## 1.2.3 (2026-12-01)\n\n- New.\n\n## 1.2.2 (2026-11-01)\n\n- Old.\n',
  );
});

/** Runs a block as GitHub does: `bash -e` on a file. Returns the calls of the stand-ins. */
const runBlock = async (run: string, env: Readonly<Record<string, string>>): Promise<string[][]> => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-block-'));
  const [file, calls] = [join(folder, 'block.sh'), join(folder, 'calls')];
  writeFileSync(file, run);
  writeFileSync(calls, '');
  const given = Object.entries(env).map(([name, text]) => [name, valueOf(text)]);
  await promisify(execFile)('bash', ['--noprofile', '--norc', '-e', file], {
    cwd: checkout,
    env: {
      ...Object.fromEntries(given),
      PATH: [standIns, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      CALLS: calls,
      ROOT: process.cwd(),
    },
  });
  return readFileSync(calls, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\0$/, '').split('\0'));
};

const runs = new Map<string, Promise<string[][]>>();

/** The calls of a step. Several jobs have the same block with the same variables: it runs once. */
const callsOf = ({ env: jobEnv }: NamedJob, { run = '', env: stepEnv }: Step): Promise<string[][]> => {
  const env = { ...jobEnv, ...stepEnv };
  const key = JSON.stringify([run, env]);
  const running = runs.get(key) ?? runBlock(run, env);
  runs.set(key, running);
  return running;
};

const INSTALL = ['npm', 'ci', '--ignore-scripts'];

const SYNTH_FLAGS = [`stage=${HOSTILE}`, `rollout=${VALUES['inputs.rollout']}`, 'rollback=true'].flatMap(
  (value) => ['-c', value],
);

/** The calls of each job: the whole effect of its blocks. */
const CALLS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'audit.yml: audit': [['npm', 'audit', '--audit-level=high'], INSTALL, ['npm', 'audit', 'signatures']],
  'check.yml: test': [
    INSTALL,
    ['npm', 'test'],
    ['npm', 'run', 'test:acceptance'],
    ['npm', 'run', 'typecheck'],
    ['npm', 'run', 'synth', '--', '-c', 'stage=check'],
    ['cdk', 'synth', '--quiet', '--strict', '-c', 'stage=check'],
  ],
  'check.yml: workflows': [['npm', 'run', 'test:workflows']],
  'check.yml: macos': [INSTALL, ['npm', 'test']],
  'check.yml: deployment': [INSTALL, ['npm', 'run', 'test:deploy'], ['npm', 'run', 'test:tour']],
  'check.yml: clients': [INSTALL, ['npm', 'run', 'test:clients']],
  'check.yml: bench': [
    INSTALL,
    ['npm', 'run', 'bench', '--', 'init', 'overhead', 'first-request', 'limits', 'bodies'],
  ],
  'check.yml: browser': [
    INSTALL,
    ['npx', 'playwright-core', 'install', '--with-deps', 'chromium'],
    ['npm', 'run', 'test:browser'],
  ],
  'deploy.yml: deploy': [
    INSTALL,
    ['npx', 'cdk', 'deploy', '--app', 'cdk.out', '--require-approval', 'never', '--no-notices'],
  ],
  'deploy.yml: accept': [INSTALL, ['npm', 'run', 'operate', '--', 'accept', '--stage', HOSTILE]],
  'destroy-stage.yml: destroy': [
    INSTALL,
    ['npx', 'cdk', 'destroy', '--app', 'cdk.out', '--force', '--no-notices'],
  ],
  'dynamodb-local.yml: test': [
    'docker run --detach --publish 127.0.0.1:8000:8000 amazon/dynamodb-local:3.1.0'
      .split(' ')
      .concat('-jar DynamoDBLocal.jar -inMemory -sharedDb -disableTelemetry'.split(' ')),
    INSTALL,
    ['npm', 'test'],
    ['npm', 'run', 'test:acceptance'],
  ],
  'release.yml: endurance': [
    INSTALL,
    ['npm', 'run', 'test:faults', '--', '--quick'],
    ['npm', 'run', 'bench', '--', 'http', 'webhooks', 'memory'],
  ],
  'release.yml: packages': [INSTALL, ['npm', 'run', 'test:clients'], ['npm', 'run', 'package']],
  'release.yml: release': [
    ['npm', 'pkg', 'delete', 'devDependencies', 'optionalDependencies'],
    ['npm', 'prune', '--package-lock-only', '--offline'],
    ['npm', 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'],
    [
      'gh',
      'release',
      'create',
      'v1.2.3',
      'sbom.cdx.json',
      '--verify-tag',
      '--title',
      'v1.2.3',
      '--notes-file',
      'notes.md',
    ],
    ['- New.'],
  ],
  'synth.yml: synth': [
    INSTALL,
    ['npm', 'run', 'synth', '--', ...SYNTH_FLAGS],
    ['cdk', 'synth', '--quiet', '--strict', ...SYNTH_FLAGS],
  ],
};

const JOBS = ALL_JOBS.filter(({ steps = [] }) => steps.some(({ run }) => run !== undefined));

const keyOf = ({ name }: NamedJob): string => name.replace('.github/workflows/', '');

test('every job with blocks is in the table', () => {
  expect(JOBS.map(keyOf).toSorted()).toStrictEqual(Object.keys(CALLS).toSorted());
});

test.each(JOBS.map((job) => [keyOf(job), job] as const))(
  'the blocks of %s run, and call only this',
  async (key, job) => {
    // `workflow-commit.test.ts` runs the block of a commit.
    const blocks = (job.steps ?? []).filter((step) => step.run !== undefined && step.if === undefined);
    const calls: string[][] = [];
    for (const block of blocks) calls.push(...(await callsOf(job, block)));
    expect(calls).toStrictEqual(CALLS[key]);
  },
);

test('the acceptance of a workflow finds its stage', async () => {
  const account = await givenOperatedTables(tableNamesOf('no-table'));
  const [, , , , command = '', ...flags] = CALLS['deploy.yml: accept']![1]!;
  const { exitCode, stderr } = await account.run([command], { stage: flags[1]! });
  await account.close();
  expect({ exitCode, stderr }).toStrictEqual({
    exitCode: 1,
    stderr: expect.stringMatching(/^The stage pr-7\S* is not deployed in eu-west-1, /),
  });
});
