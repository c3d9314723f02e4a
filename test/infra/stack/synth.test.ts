import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { currentBranch } from '../../../infra/stack/current-branch.ts';
import { synthesise } from '../../../infra/stack/synthesise.ts';

/** Makes a git repository on a branch. */
const givenRepository = (branch: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch', branch, folder]);
  return folder;
};

test('a stage is named after the checked-out branch', () => {
  vi.stubEnv('GIT_DIR', givenRepository('feature/of-mine'));
  expect(currentBranch()).toBe('feature/of-mine');
});

test('without a branch and a name, the app fails in one sentence', async () => {
  const folder = givenRepository('main');
  writeFileSync(join(folder, 'HEAD'), '1'.repeat(40));
  vi.stubEnv('GIT_DIR', folder);
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // A process of its own would load the CDK again: 2 s of CPU.
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  await expect(import('../../../infra/app.ts')).rejects.toThrow('exit');
  expect(exit.mock.calls).toStrictEqual([[1]]);
  expect(written.mock.calls).toStrictEqual([
    ['No git branch is checked out. Name the stage with -c stage=...\n'],
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
