import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run, stopProcesses } from '../../support/processes.ts';
import { givenStage, type TestStage } from '../../support/stage.ts';

const MAIN = 'infra/operate/main.ts';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage();
});

afterAll(stopProcesses);

const onStage = (...args: readonly string[]): string[] => [...args, '--dynamodb', stage.dynamodbEndpoint];

/** How a command ended, and what it said on standard error. */
interface Told {
  readonly exitCode: unknown;
  readonly stderr: string;
}

/** Runs a command whose standard output takes nothing, as a full disk does. */
const onFullDisk = async (...args: readonly string[]): Promise<Told> => {
  // Opened for reading, so that each write fails on every system.
  const output = openSync(MAIN, 'r');
  const child = spawn(process.execPath, [MAIN, ...onStage(...args)], { stdio: ['ignore', output, 'pipe'] });
  closeSync(output);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [exitCode] = await once(child, 'close');
  return { exitCode, stderr };
};

/** Runs a command whose reader is gone. */
const withoutReader = async (...args: readonly string[]): Promise<Told> => {
  const { child, ended } = run(MAIN, onStage(...args));
  child.stdout?.destroy();
  const { exitCode, stderr } = await ended;
  return { exitCode, stderr };
};

test('a result that cannot be written is told in one sentence, with exit code 1', async () => {
  const { exitCode, stderr } = await onFullDisk('products', 'list');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^Standard output cannot be written to \(\w+\): [^\n]+\n$/);
});

test('a result whose reader, such as `head`, has read enough ends the command quietly', async () => {
  expect(await withoutReader('products', 'list')).toEqual({ exitCode: 0, stderr: '' });
});

describe.each([
  ['cannot be written', onFullDisk],
  ['has no reader', withoutReader],
])('a new key that %s', (what, runWithoutOutput) => {
  const storeId = `store-${what.replaceAll(' ', '-')}`;
  const LOST = /^The key ([0-9a-f]{64}) was issued but could not be shown: revoke it\./;

  const storedKeyIds = async (): Promise<string[]> => {
    const { stdout } = await run(MAIN, onStage('keys', 'list', '--store', storeId, '--json')).ended;
    return (JSON.parse(stdout) as { keys: { keyId: string }[] }).keys.map(({ keyId }) => keyId);
  };

  test('by keys issue is told by its id, with exit code 1', async () => {
    const { exitCode, stderr } = await runWithoutOutput('keys', 'issue', '--store', storeId);

    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(await storedKeyIds()).toEqual([LOST.exec(stderr)?.[1]]);
  });

  test('by keys rotate is told by its id, with exit code 1 and when the old key ends', async () => {
    const [old = ''] = await storedKeyIds();

    const { exitCode, stderr } = await runWithoutOutput('keys', 'rotate', old);

    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/ The old key works until \S+; both work until then\.\n$/);
    expect(await storedKeyIds()).toEqual([old, LOST.exec(stderr)?.[1]]);
  });
});
