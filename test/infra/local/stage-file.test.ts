import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { readStageFile } from '../../../infra/local/stage-file.ts';

const STAGE = {
  processId: process.pid,
  baseUrl: 'http://127.0.0.1:1',
  dynamodbEndpoint: 'http://127.0.0.1:2',
};

let file: string;

beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'stage-file-')), 'stage.json');
  await writeFile(file, JSON.stringify(STAGE));
});

/** Makes the system reject signals to any process with this code. */
const rejectSignals = (code: string): void => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
};

test('a running stage is found by its file', () => {
  expect(readStageFile(file)).toStrictEqual(STAGE);
});

test('a stage that was killed, or that never ran, is not found', () => {
  rejectSignals('ESRCH');
  expect(readStageFile(file)).toBeUndefined();
  expect(readStageFile(`${file}.none`)).toBeUndefined();
});

test("another user's stage is reported in one sentence with the remedy", () => {
  rejectSignals('EPERM');
  expect(() => readStageFile(file)).toThrow(
    `The local stage that wrote ${file} belongs to another user: ` +
      'run the command as that user, or pass the --dynamodb URL that the stage printed.',
  );
});
