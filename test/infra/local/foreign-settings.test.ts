import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { readRunningStage } from '../../../infra/local-access/running-stage.ts';
import { execute } from '../../../infra/terminal/command-line.ts';
import { printResult, sayLines, type Streams } from '../../../infra/terminal/terminal.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { runInProcess } from '../../support/operators/operate.ts';
import { run, startService, stopProcesses } from '../../support/programs/processes.ts';
import { createHttpClient } from '../../support/service/http-client.ts';

afterAll(stopProcesses);

const ROOT = join(import.meta.dirname, '../../..');

/** A developer's configuration of AWS with which every call fails or reaches AWS. */
const givenHostileSettings = () => {
  const home = mkdtempSync(join(tmpdir(), 'aws-settings-'));
  const config = join(home, '.aws/config');
  mkdirSync(join(home, '.aws'));
  const settings = `[default]
region = eu-west-1
use_fips_endpoint = true
use_dualstack_endpoint = true
ignore_configured_endpoint_urls = true
endpoint_url = http://127.0.0.1:1
max_attempts = 1
aws_access_key_id = AKIAREALREALREALREAL
aws_secret_access_key = real
[profile other]
credential_process = false
`;
  // The files that the SDK reads without a variable.
  for (const file of [config, join(home, '.aws/credentials')]) writeFileSync(file, settings);
  return {
    HOME: home,
    AWS_CONFIG_FILE: config,
    AWS_SHARED_CREDENTIALS_FILE: config,
    AWS_USE_FIPS_ENDPOINT: 'true',
    AWS_USE_DUALSTACK_ENDPOINT: 'true',
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    AWS_PROFILE: 'other',
    AWS_SESSION_TOKEN: 'real',
    AWS_ACCESS_KEY_ID: 'AKIAREALREALREALREAL',
    AWS_SECRET_ACCESS_KEY: 'real',
    AWS_MAX_ATTEMPTS: 'x',
    AWS_RETRY_MODE: 'x',
    AWS_ACCOUNT_ID_ENDPOINT_MODE: 'x',
    AWS_STS_REGIONAL_ENDPOINTS: 'x',
    AWS_DEFAULTS_MODE: 'x',
  };
};

describe('the developer’s settings of AWS', () => {
  it('reach neither the local stage nor the commands on it', async () => {
    const env = givenHostileSettings();
    const stage = await startService(['--data', 'memory'], undefined, env);
    const [store] = stage.stores;
    const { apiKey = '', products = [] } = store ?? {};
    const client = createHttpClient(stage.baseUrl);
    const created = await client.createCart(cartBody(products[0]?.id ?? ''), { apiKey });
    expect(created.status).toBe(201);

    const operate = (...args: readonly string[]) =>
      run('infra/operate/main.ts', [...args, '--dynamodb', stage.dynamodbEndpoint, '--json'], env).ended;
    const { exitCode, stdout, stderr } = await operate('keys', 'list');
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toHaveProperty('keys');
    // SQS, beside the database.
    expect(await operate('dead-letters', 'list')).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('a standard stream without a reader', () => {
  it('ends no stage: lost output is named, and lost log lines end nothing', async () => {
    const data = join(mkdtempSync(join(tmpdir(), 'streams-')), 'dynamodb.sqlite');
    // A file that is open for reading rejects each write.
    const stdout = openSync(import.meta.filename, 'r');
    const child = spawn(
      process.execPath,
      [join(ROOT, 'infra/local/main.ts'), '--json', '--port', '0', '--data', data, '--no-receiver'],
      { cwd: ROOT, stdio: ['ignore', stdout, 'pipe'], env: { ...process.env, VITEST: undefined } },
    );
    closeSync(stdout);
    const [line] = (await once(child.stderr!, 'data')) as [Buffer];
    expect(line.toString()).toMatch(/^Standard output cannot be written: EBADF: .*\n$/);
    child.stderr?.destroy();
    const { baseUrl = '' } = (await readRunningStage(data)) ?? {};
    for (let request = 0; request < 3; request += 1) {
      const { status } = await fetch(`${baseUrl}/api/v1/stores/cart/${'x'.repeat(3)}`);
      expect(status).toBe(401);
    }
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toStrictEqual([0, null]);
  });

  it('keeps the result of a command that has a remark', async () => {
    const broken = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
    });
    const program = (streams: Streams) =>
      new Command().action(async () => {
        sayLines(broken, ['a remark']);
        // The stream emits its error before.
        await setImmediate();
        await printResult(streams.stdout, ['the result']);
      });
    const ended = await runInProcess((streams) =>
      execute(program(streams), { ...streams, stderr: broken }, []),
    );
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'the result\n' });
  });
});
