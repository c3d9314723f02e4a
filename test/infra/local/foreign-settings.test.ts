import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync } from 'node:fs';
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
import { run, stopProcesses } from '../../support/programs/processes.ts';
import { givenSharedStage } from '../../support/programs/stage-process.ts';

afterAll(stopProcesses);

const ROOT = join(import.meta.dirname, '../../..');

describe('the developer’s settings of AWS', () => {
  it('reach neither the local stage nor the commands on it', async () => {
    const stage = await givenSharedStage();
    // It was started with hostile settings.
    expect(stage.env).toHaveProperty('AWS_PROFILE');
    const apiKey = await stage.givenKey();
    const created = await stage.createCart(cartBody(stage.productId), { apiKey });
    expect(created.status).toBe(201);

    const operate = (...args: readonly string[]) =>
      run('infra/operate/main.ts', [...args, '--dynamodb', stage.dynamodbEndpoint, '--json'], stage.env)
        .ended;
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
