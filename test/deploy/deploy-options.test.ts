import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const DEPLOY = resolve('.github/actions/keep-values/deploy.sh');

describe('deploy.sh rejects', () => {
  const deploy = (options: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const env = { PATH: process.env['PATH'], ...variables };
    const args = [DEPLOY, '-c', 'stage=prod', ...options];
    const { status, stderr } = spawnSync('bash', args, { cwd: tmpdir(), env, encoding: 'utf8' });
    return { status, stderr };
  };

  test.each([['--profile', 'production'], ['--no-rollback'], ['stage']])(
    'an option that the deployment itself would not get: %s',
    (...options) => {
      expect(deploy(options)).toStrictEqual({
        status: 2,
        stderr: `Pass -c NAME=VALUE only, not ${options[0]}. Set other options as variables, such as AWS_PROFILE=NAME.\n`,
      });
    },
  );

  test.each(['CDK_PROFILE', 'CDK_REGION'])('a variable that the check does not read: %s', (name) => {
    expect(deploy([], { [name]: 'other' })).toStrictEqual({
      status: 2,
      stderr: 'Set AWS_PROFILE and AWS_REGION, not CDK_PROFILE and CDK_REGION.\n',
    });
  });
});
