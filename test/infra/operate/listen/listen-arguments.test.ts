import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { operate } from '../../../support/operators/operate.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';
import type { Ended } from '../../../support/programs/processes.ts';

// Each of these runs ends before a request.
const STAGE = ['--base-url', 'http://127.0.0.1:1'];
const RECEIVER = ['--forward-to', 'http://127.0.0.1:1/hook'];

let file: string;

beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'listen-')), 'state.json');
  vi.stubEnv('CART_CHECKOUT_API_KEY', generateApiKey('test'));
});

afterEach(() => void vi.unstubAllEnvs());

const listenTo = (...flags: readonly (string | readonly string[])[]): Promise<Ended> =>
  operate(['listen', '--state-file', file, ...flags.flat()]);

const listen = (...flags: readonly string[]): Promise<Ended> => listenTo(STAGE, RECEIVER, ...flags);

test('rejects a malformed state file', async () => {
  writeFileSync(file, 'nonsense');

  expectFailure(await listen(), 1, /cannot be read: delete the file/);
});

test('names the file that it cannot write', async () => {
  // In the way of the draft of the file.
  mkdirSync(`${file}.${process.pid}`);

  expectFailure(await listen(), 1, /state\.json cannot be written/);
});

test.each([
  ['http to another machine', [['--base-url', 'http://stage.example'], RECEIVER], /https/],
  ['a malformed address of the receiver', [STAGE, ['--forward-to', 'localhost']], /http/],
  ['an unknown type', [STAGE, RECEIVER, ['--events', 'cart.paid']], /cart\.completed/],
])('rejects %s', async (_what, flags, words) => {
  expectFailure(await listenTo(...flags), 2, words);
});

test.each(['', 'cck_test_mistyped'])('rejects the malformed key "%s", without repeating it', async (key) => {
  vi.stubEnv('CART_CHECKOUT_API_KEY', key);
  const ended = await listen();

  expectFailure(ended, 2, /has no API key/);
  expect(ended.stderr).not.toContain('cck_');
});

test('rejects --since beside --resume', async () => {
  expectFailure(await listen('--resume', '--since', '1h'), 2, /either --since or --resume/);
});

test('sends no key to a stage that the command line does not name, unless it is a demo key', async () => {
  const ended = await listenTo(RECEIVER);

  expectFailure(ended, 2, /name the stage with --base-url/);
});
