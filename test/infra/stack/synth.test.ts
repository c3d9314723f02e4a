import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';

// Each synthesis compiles the app and bundles four functions: some seconds, more beside other tests.
vi.setConfig({ testTimeout: 90_000 });

const context = (...pairs: readonly string[]): string[] => pairs.flatMap((pair) => ['-c', pair]);

interface Synthesis {
  readonly exitCode: number;
  readonly stderr: string;
  /** The names of the stacks that were written. */
  readonly stacks: readonly string[];
}

/** Runs what `npm run synth` runs, into a folder of its own. */
const synth = async (flags: readonly string[], env: Record<string, string> = {}): Promise<Synthesis> => {
  const output = await mkdtemp(join(tmpdir(), 'cart-checkout-synth-'));
  onTestFinished(() => rm(output, { recursive: true, force: true }));
  const args = ['synth', '--quiet', '--strict', '--output', output, ...flags];
  const run = promisify(execFile)('cdk', args, { env: { ...process.env, NO_COLOR: '1', ...env } });
  const { code, stderr } = await run.then(
    (ended) => ({ ...ended, code: 0 }),
    (error: unknown) => error as { code: number; stderr: string },
  );
  const files = await readdir(output);
  const stacks = files.flatMap((name) => /^(.+)\.template\.json$/.exec(name)?.[1] ?? []);
  return { exitCode: code, stderr, stacks };
};

test('a stage synthesises without a finding that nobody has answered', async () => {
  const { exitCode, stderr } = await synth(context('stage=prod', 'checkoutUrl=https://pay.example.com'));
  expect(stderr).not.toMatch(/^(?:ERROR|WARNING)/m);
  expect(exitCode).toBe(0);
});

test('a finding that nobody has answered fails', async () => {
  const { exitCode, stderr } = await synth(['--app', 'node test/infra/fixtures/unacknowledged-finding.ts']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('AwsSolutions-SQS4');
});

test.each([
  [['stage=prod'], 'The stage prod takes real money: say where buyers pay, with -c checkoutUrl=https://...'],
  [
    ['stage=prod', 'checkoutUrl=pay.example.com'],
    'The checkoutUrl must be an http(s) address without query or trailing slash.',
  ],
  [['requestsPerSecond=0'], 'The requestsPerSecond must be a whole number from 1 to 100000.'],
])('a wrong configuration fails in one sentence: %j', async (pairs, sentence) => {
  const { exitCode, stderr } = await synth(context(...pairs));
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${sentence}\n`);
  expect(stderr).not.toMatch(/^ +at /m);
});

test('a stage is named after the branch that is checked out; without one, it must be named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cart-checkout-git-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await promisify(execFile)('git', [
    'init',
    '--quiet',
    '--bare',
    '--initial-branch',
    'feature-of-mine',
    folder,
  ]);
  const named = await synth([], { GIT_DIR: folder });
  expect(named).toMatchObject({ exitCode: 0, stacks: ['CartCheckout-feature-of-mine'] });

  await writeFile(join(folder, 'HEAD'), '1'.repeat(40));
  const unnamed = await synth([], { GIT_DIR: folder });
  expect(unnamed.exitCode).toBe(1);
  expect(unnamed.stderr).toContain(
    'No git branch is checked out to name the stage after: name it with -c stage=...\n',
  );
});
