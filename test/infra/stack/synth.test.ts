import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BRANCH, synthesise, withoutBundles } from './template.ts';

// The first synthesis of a process takes some seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'cart-checkout-synth-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

interface Synthesis {
  readonly exitCode: number;
  readonly stderr: string;
  /** The names of the stacks that were written. */
  readonly stacks: readonly string[];
}

/** Runs the app as the CDK's command line does, without bundling. */
const synth = async (gitFolder: string): Promise<Synthesis> => {
  const output = await temporaryFolder();
  const env = {
    ...process.env,
    GIT_DIR: gitFolder,
    CDK_OUTDIR: output,
    CDK_CONTEXT_JSON: JSON.stringify(withoutBundles({})),
  };
  const { code, stderr } = await promisify(execFile)(process.execPath, ['infra/app.ts'], { env }).then(
    (ended) => ({ ...ended, code: 0 }),
    (error: unknown) => error as { code: number; stderr: string },
  );
  const files = await readdir(output);
  const stacks = files.flatMap((name) => /^(.+)\.template\.json$/.exec(name)?.[1] ?? []);
  return { exitCode: code, stderr, stacks };
};

test('a stage is named after the checked-out branch; without one, its name is required', async () => {
  const folder = await temporaryFolder();
  const init = ['init', '--quiet', '--bare', '--initial-branch', 'feature-of-mine', folder];
  await promisify(execFile)('git', init);
  expect(await synth(folder)).toStrictEqual({
    exitCode: 0,
    stderr: '',
    stacks: ['CartCheckout-feature-of-mine'],
  });

  await writeFile(join(folder, 'HEAD'), '1'.repeat(40));
  expect(await synth(folder)).toStrictEqual({
    exitCode: 1,
    stderr: 'No git branch is checked out. Name the stage with -c stage=...\n',
    stacks: [],
  });
});

test('an unacknowledged finding of cdk-nag makes the synthesis fail', () => {
  const addQueue = (): unknown => synthesise(BRANCH, (stack) => void new Queue(stack, 'Unacknowledged'));
  expect(addQueue).toThrow('AwsSolutions-SQS4');
});
