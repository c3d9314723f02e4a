import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a synthesis without the CDK says how to install it', () => {
  const file = join(import.meta.dirname, '../../infra/synth.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    env: { ...process.env, PATH: tmpdir() },
  });
  expect({ status, stdout }).toStrictEqual({ status: 1, stdout: '' });
  expect(stderr).toBe('The CDK cannot be run: run "npm ci --include=dev" (spawnSync cdk ENOENT).\n');
});
