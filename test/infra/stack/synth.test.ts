import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { synthesise } from '../../../infra/docs/sources/synthesise.ts';
import { currentBranch } from '../../../infra/stage/current-branch.ts';

/** Runs git in a folder. */
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args]);

/** Makes a git repository on a branch with a commit. */
const givenRepository = (branch: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  git(folder, 'init', '--quiet', '--initial-branch', branch);
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'x');
  return folder;
};

test('a stage is named after the checked-out branch, whatever tag or branch has a name like it', () => {
  const folder = givenRepository('feature/of-mine');
  expect(currentBranch(folder)).toBe('feature/of-mine');
  git(folder, 'tag', 'feature/of-mine');
  git(folder, 'branch', 'heads/feature/of-mine', 'HEAD');
  expect(currentBranch(folder)).toBe('feature/of-mine');
  git(folder, 'checkout', '--quiet', 'heads/feature/of-mine', '--');
  expect(currentBranch(folder)).toBe('heads/feature/of-mine');
});

test('a stage is named after the branch of this code, not of a repository in the environment', () => {
  const folder = givenRepository('mine');
  vi.stubEnv('GIT_DIR', join(givenRepository('other'), '.git'));
  expect(currentBranch(folder)).toBe('mine');
});

test('without a branch, or if git fails, the reason is in one sentence', () => {
  const folder = givenRepository('main');
  git(folder, 'checkout', '--quiet', '--detach');
  expect(() => currentBranch(folder)).toThrow(
    'No git branch is checked out. Name the stage with -c stage=...',
  );
  rmSync(join(folder, '.git'), { recursive: true });
  expect(() => currentBranch(folder)).toThrow(/^git says: fatal: not a git repository.*stage=\.\.\.$/);
  vi.stubEnv('PATH', folder);
  expect(() => currentBranch(folder)).toThrow(/^git cannot be run: spawnSync git ENOENT\. Name/);
});

test('a synthesis without the CDK says how to install it', () => {
  const file = join(import.meta.dirname, '../../../infra/synth.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    env: { ...process.env, PATH: tmpdir() },
  });
  expect({ status, stdout }).toStrictEqual({ status: 1, stdout: '' });
  expect(stderr).toBe('The CDK cannot be run: run "npm ci --include=dev" (spawnSync cdk ENOENT).\n');
});

test('an error of the operator ends the app in one sentence', async () => {
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify({ stage: 'x', alarmEMail: 'ops@example.com' }));
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // A process of its own would load the CDK again: 2 s of CPU.
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  await expect(import('../../../infra/app.ts')).rejects.toThrow('exit');
  expect(exit.mock.calls).toStrictEqual([[1]]);
  expect(written.mock.calls).toStrictEqual([
    ['There is no context value "alarmEMail". Did you mean alarmEmail?\n'],
  ]);
});

test('the app rejects an unknown context name before it builds the stack', () => {
  const context = { stage: 'x', alarmEMail: 'ops@example.com' };
  expect(() => synthesise(context)).toThrow('Did you mean alarmEmail?');
});

test('an unacknowledged finding of cdk-nag makes the synthesis fail', () => {
  const addQueue = (): unknown =>
    synthesise({ stage: 'x' }, { change: (stack) => void new Queue(stack, 'Unacknowledged') });
  expect(addQueue).toThrow('AwsSolutions-SQS4');
});
