import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import {
  ALL_JOBS,
  commandsOf,
  type Job,
  jobsOf,
  readWorkflow,
  stepsOf,
  WORKFLOW_PATHS,
} from '../support/workflow-files.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Whether the job's own steps can get credentials of AWS. A job with another workflow has no steps. */
const getsCredentials = ({ permissions, steps }: Job): boolean =>
  steps !== undefined && permissions?.['id-token'] === 'write';

/** Another job could have written to a cache. */
const NODE_WITHOUT_CACHE = { 'node-version': 24, 'package-manager-cache': false };

const WITH_CREDENTIALS = ALL_JOBS.filter(getsCredentials);
const runsCdk = (job: Job): boolean => commandsOf(job).some((command) => command.includes('cdk '));

describe.each(WORKFLOW_PATHS)('%s', (path) => {
  const workflow = readFileSync(path, 'utf8');

  test('pins every action by its hash, or uses a workflow of this repository', () => {
    const actions = [...workflow.matchAll(/uses: (.+)/g)].map(([, action]) => action);
    expect(actions).not.toStrictEqual([]);
    for (const action of actions)
      expect(action).toMatch(/^(?:\.\/\S+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d\S*)$/);
  });

  test('stores no AWS key, and passes no expression to a shell', () => {
    expect(workflow).not.toMatch(/secrets\.|aws-access-key-id/);
    for (const command of jobsOf(path).flatMap(commandsOf)) expect(command).not.toContain('${{');
  });

  test('runs only npm scripts that exist', () => {
    const names = [...workflow.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name ?? '');
    const own = new Set(['ci', 'audit', 'pkg', 'prune', 'sbom']);
    expect(names.filter((name) => !own.has(name) && !(name in scripts))).toStrictEqual([]);
  });

  test('installs without install scripts, and a job can only read unless it asks for more', () => {
    const installs = jobsOf(path)
      .flatMap(commandsOf)
      .filter((command) => /npm (?:ci|i|install)\b/.test(command));
    for (const install of installs) expect(install).toBe('npm ci --ignore-scripts');
    expect(readWorkflow(path).permissions).toStrictEqual({ contents: 'read' });
  });
});

test('a job with credentials runs the CDK on an artifact, or the acceptance suite, and nothing else', () => {
  expect(WITH_CREDENTIALS.map(({ name }) => name)).toHaveLength(3);
  for (const job of WITH_CREDENTIALS) {
    const [install, command, ...others] = commandsOf(job);
    expect([install, ...others], job.name).toStrictEqual(['npm ci --ignore-scripts']);
    expect(command, job.name).toMatch(
      /^(?:npx cdk (?:deploy|destroy) --app cdk\.out --[\w -]+|npm run operate -- accept --stage "\$STAGE")$/,
    );
  }
});

test('a job that deploys or destroys has no code of the project, and takes the artifact of its own synthesis', () => {
  const jobs = WITH_CREDENTIALS.filter(runsCdk);
  expect(jobs).toHaveLength(2);
  for (const job of jobs) {
    expect(stepsOf(job, 'actions/checkout').map((step) => step.with?.['sparse-checkout'])).toStrictEqual([
      '/package.json\n/package-lock.json\n/.npmrc\n/stages\n/.github/actions\n',
    ]);
    expect(stepsOf(job, 'actions/checkout')[0]?.with?.['sparse-checkout-cone-mode']).toBe(false);
    expect(stepsOf(job, 'actions/download-artifact').map((step) => step.with)).toStrictEqual([
      { 'artifact-ids': '${{ needs.synth.outputs.artifact-id }}', path: 'cdk.out' },
    ]);
    // The artifact is admitted before there are credentials. A deployment then keeps the values of its stage, and comes last.
    const steps = (job.steps ?? []).map(({ uses, run = '' }) => uses?.replace(/@.*/, '') ?? run);
    expect(steps.slice(steps.indexOf('actions/download-artifact'))).toStrictEqual([
      'actions/download-artifact',
      './.github/actions/admit-assembly',
      'aws-actions/configure-aws-credentials',
      ...(job.name.endsWith(': deploy') ? ['./.github/actions/keep-values'] : []),
      expect.stringMatching(/^npx cdk (?:deploy|destroy) --app cdk\.out /),
    ]);
    expect(stepsOf(job, 'actions/setup-node')[0]?.with).toStrictEqual(NODE_WITHOUT_CACHE);
  }
});

test('the synthesis of a deployment gets a stage, a commit, a rollout and a region, and no credentials', () => {
  const [job, ...others] = jobsOf('.github/workflows/synth.yml');
  expect(others).toStrictEqual([]);
  expect(job?.permissions).toBeUndefined();
  expect(commandsOf(job as Job).slice(1)).toStrictEqual([
    'npm ci --ignore-scripts',
    'npm run synth -- -c stage="$STAGE" ${ROLLOUT:+-c rollout="$ROLLOUT"} ${COMMIT:+-c rollback=true}',
  ]);
  expect(job?.env).toStrictEqual({
    STAGE: '${{ inputs.stage }}',
    COMMIT: '${{ inputs.commit }}',
    ROLLOUT: '${{ inputs.rollout }}',
    AWS_REGION: '${{ vars.CART_CHECKOUT_REGION }}',
  });
});

test('a variable of an organisation changes no deployment: only two are read, and both have the prefix', () => {
  const variables = WORKFLOW_PATHS.flatMap((path) =>
    Array.from(readFileSync(path, 'utf8').matchAll(/\bvars\b\S*/g), ([variable]) => variable),
  );
  expect(new Set(variables)).toStrictEqual(
    new Set(['vars.CART_CHECKOUT_ROLE_ARN', 'vars.CART_CHECKOUT_REGION']),
  );
});

describe('production', () => {
  const DEPLOY = './.github/workflows/deploy.yml';
  const callers = ALL_JOBS.filter((job) => job.with?.['deploy-environment'] === 'production');

  test('is deployed after a merge, or by hand with a commit and a rollout', () => {
    expect(callers.map(({ name, uses }) => ({ name, uses }))).toStrictEqual([
      { name: '.github/workflows/production.yml: production', uses: DEPLOY },
      { name: '.github/workflows/redeploy.yml: production', uses: DEPLOY },
    ]);
    const [afterMerge, byHand] = callers.map((job) => job.with);
    expect(byHand).toStrictEqual({
      ...afterMerge,
      commit: '${{ inputs.commit }}',
      rollout: '${{ inputs.rollout }}',
    });
  });

  // A job takes its concurrency group before it waits for the approval of its environment.
  test('blocks no other run while one waits for its approval', () => {
    const paths = [DEPLOY.slice(2), ...callers.map(({ name }) => name.replace(/: .*/, ''))];
    expect(paths.map((path) => readWorkflow(path).concurrency)).toStrictEqual(paths.map(() => undefined));
    const jobs = [...callers, ...jobsOf(DEPLOY.slice(2))];
    expect(jobs.filter(({ concurrency }) => concurrency !== undefined)).toStrictEqual([]);
  });

  test('is accepted with the suite of the commit that it has', () => {
    const accept = jobsOf(DEPLOY.slice(2)).find(({ name }) => name.endsWith(': accept'));
    expect(stepsOf(accept!, 'actions/checkout')[0]?.with?.['ref']).toBe('${{ inputs.commit }}');
  });
});

test('only the release may write to the repository, and it installs no package', () => {
  const writing = ALL_JOBS.filter(({ permissions = {} }) =>
    Object.entries(permissions).some(([name, access]) => access === 'write' && name !== 'id-token'),
  );
  expect(writing.map(({ name }) => name)).toStrictEqual(['.github/workflows/release.yml: release']);
  const release: Job = writing[0]!;
  expect(commandsOf(release).join('\n')).not.toMatch(/npm (?!pkg |(?:prune|sbom) --package-lock-only )|npx/);
  expect(stepsOf(release, 'actions/setup-node')[0]?.with).toStrictEqual(NODE_WITHOUT_CACHE);
});

test('the release waits for all other jobs of its workflow', () => {
  const { release, ...others } = readWorkflow('.github/workflows/release.yml').jobs;
  expect(release?.needs).toStrictEqual(Object.keys(others));
});

test('CI runs the tests, and nothing else', () => {
  const lines = readFileSync('.ci/run', 'utf8').trim().split(/\n+/);
  expect(lines).toStrictEqual(['#!/usr/bin/env bash', 'set -euo pipefail', 'npm ci && npm test']);
});

test('the code of a fork or of an update that nobody has read gets no credentials', () => {
  for (const name of ['stage.yml', 'destroy-stage.yml']) {
    expect(jobsOf(`.github/workflows/${name}`)[0]?.if?.replaceAll(/\s+/g, ' ').trim()).toBe(
      "github.event.pull_request.head.repo.full_name == github.repository && github.event.pull_request.user.login != 'dependabot[bot]'",
    );
  }
});

describe('Dependabot', () => {
  interface Update {
    readonly 'package-ecosystem': string;
    readonly directory?: string;
    readonly directories?: readonly string[];
    readonly schedule: { readonly interval: string };
    readonly groups?: object;
    readonly 'open-pull-requests-limit'?: number;
  }
  const { version, updates } = load(readFileSync('.github/dependabot.yml', 'utf8')) as {
    version: number;
    updates: readonly Update[];
  };

  const foldersOf = (ecosystem: string): readonly (string | undefined)[] =>
    updates
      .filter((update) => update['package-ecosystem'] === ecosystem)
      .flatMap<string | undefined>(({ directory, directories }) => directories ?? [directory]);

  test('updates the packages of every lock file, and the actions, once a week in groups', () => {
    expect(version).toBe(2);
    const folders = globSync('**/package-lock.json', {
      exclude: ['**/node_modules/**', '.local/**', 'cdk.out/**'],
    })
      .map((file) => `/${dirname(file)}`.replace('/.', '/'))
      .toSorted();
    expect(foldersOf('npm')).toStrictEqual(folders);
    expect(foldersOf('github-actions')).toStrictEqual(['/']);
    expect(new Set(updates.map((update) => update['package-ecosystem']))).toStrictEqual(
      new Set(['npm', 'github-actions']),
    );
    for (const { schedule, groups, 'open-pull-requests-limit': limit } of updates) {
      expect(schedule.interval).toBe('weekly');
      expect(groups !== undefined || limit === 0).toBe(true);
    }
  });

  test('updates the lock files that the audit covers', () => {
    const [audit] = jobsOf('.github/workflows/audit.yml');
    expect(audit?.strategy?.matrix['folder']?.map((folder) => `/${folder}`.replace('/.', '/'))).toStrictEqual(
      foldersOf('npm'),
    );
  });
});
