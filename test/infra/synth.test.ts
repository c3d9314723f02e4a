import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

/** Runs what `npm run synth` runs, into a folder of its own. */
const synth = async (...context: string[]): Promise<{ exitCode: number; stderr: string }> => {
  const output = await mkdtemp(join(tmpdir(), 'cart-checkout-synth-'));
  onTestFinished(() => rm(output, { recursive: true, force: true }));
  const args = ['synth', '--quiet', '--output', output, ...context.flatMap((pair) => ['-c', pair])];
  try {
    const { stderr } = await promisify(execFile)('cdk', args, { env: { ...process.env, NO_COLOR: '1' } });
    return { exitCode: 0, stderr };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { exitCode: code, stderr };
  }
};

test('a stage synthesises without a finding that nobody has answered', async () => {
  const { exitCode, stderr } = await synth('stage=prod', 'checkoutUrl=https://pay.example.com');
  expect(stderr).not.toMatch(/^ERROR/m);
  expect(exitCode).toBe(0);
});

test('production without an address to pay at fails in one sentence', async () => {
  const { exitCode, stderr } = await synth('stage=prod');
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'The stage prod takes real money: say where buyers pay, with -c checkoutUrl=https://...\n',
  );
  expect(stderr).not.toMatch(/^ +at /m);
});
