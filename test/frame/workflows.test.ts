import { globSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  /** A job has either steps or another workflow. */
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const PATHS = globSync('.github/workflows/*.yml');

const read = (path: string): Workflow => load(readFileSync(path, 'utf8')) as Workflow;

const jobsOf = (path: string): readonly (Job & { readonly name: string })[] =>
  Object.entries(read(path).jobs).map(([name, job]) => ({ ...job, name: `${path}: ${name}` }));

const commandsOf = ({ steps = [] }: Job): readonly string[] => steps.flatMap(({ run = [] }) => run);

const stepsOf = ({ steps = [] }: Job, action: string): readonly Step[] =>
  steps.filter(({ uses = '' }) => uses.startsWith(`${action}@`));

/** Whether the job's own steps can get credentials of AWS. A job with another workflow has no steps. */
const getsCredentials = ({ permissions, steps }: Job): boolean =>
  steps !== undefined && permissions?.['id-token'] === 'write';

const JOBS = PATHS.flatMap(jobsOf);
const WITH_CREDENTIALS = JOBS.filter(getsCredentials);
const runsCdk = (job: Job): boolean => commandsOf(job).some((command) => command.includes('cdk '));

describe.each(PATHS)('%s', (path) => {
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
    expect(names.filter((name) => name !== 'ci' && !(name in scripts))).toStrictEqual([]);
  });

  test('installs without install scripts, and a job can only read unless it asks for more', () => {
    const installs = jobsOf(path)
      .flatMap(commandsOf)
      .filter((command) => /npm (?:ci|i|install)\b/.test(command));
    for (const install of installs) expect(install).toBe('npm ci --ignore-scripts');
    expect(read(path).permissions).toStrictEqual({ contents: 'read' });
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
      '/package.json\n/package-lock.json\n/.npmrc\n',
    ]);
    expect(stepsOf(job, 'actions/checkout')[0]?.with?.['sparse-checkout-cone-mode']).toBe(false);
    expect(stepsOf(job, 'actions/download-artifact').map((step) => step.with)).toStrictEqual([
      { 'artifact-ids': '${{ needs.synth.outputs.artifact-id }}', path: 'cdk.out' },
    ]);
    // Another job could have written to a cache.
    expect(stepsOf(job, 'actions/setup-node')[0]?.with).toStrictEqual({ 'node-version': 24 });
  }
});

test('the synthesis of a deployment gets the variables of its environment, and no credentials', () => {
  const [job, ...others] = jobsOf('.github/workflows/synth.yml');
  expect(others).toStrictEqual([]);
  expect(job?.permissions).toBeUndefined();
  expect(commandsOf(job as Job)).toStrictEqual([
    'npm ci --ignore-scripts',
    'npm run synth -- -c stage="$STAGE"',
  ]);
  const env = { STAGE: '${{ inputs.stage }}', CONTEXT_VARIABLES: '${{ toJSON(vars) }}' };
  expect(job?.env).toStrictEqual(env);
});
