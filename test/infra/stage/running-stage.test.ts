import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import {
  readRunningStage,
  removeRunningStage,
  writeRunningStage,
} from '../../../infra/stage/running-stage.ts';

const STAGE = {
  processId: process.ppid,
  baseUrl: 'http://127.0.0.1:1',
  dynamodbEndpoint: 'http://127.0.0.1:2',
};

let data: string;

beforeAll(async () => {
  data = join(await mkdtemp(join(tmpdir(), 'stage-file-')), 'data');
  await writeFile(`${data}.stage.json`, JSON.stringify(STAGE));
});

/** Makes the system reject signals to any process with this code. */
const rejectSignals = (code: string): void => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
};

test('a running stage is found by its file', () => {
  expect(readRunningStage(data)).toStrictEqual(STAGE);
});

test('a stage that was killed, or that never ran, is not found', () => {
  rejectSignals('ESRCH');
  expect(readRunningStage(data)).toBeUndefined();
  expect(readRunningStage(`${data}.none`)).toBeUndefined();
});

test("another user's stage is reported in one sentence with the remedy", () => {
  rejectSignals('EPERM');
  expect(() => readRunningStage(data)).toThrow(
    `The local stage that wrote ${data}.stage.json belongs to another user: run the command as that user.`,
  );
});

test('a stage removes its own file alone, and is no other stage on its data', () => {
  removeRunningStage(data);
  expect(readRunningStage(data)).toStrictEqual(STAGE);

  const { processId: _, ...addresses } = STAGE;
  writeRunningStage(data, addresses);
  expect(existsSync(`${data}.stage.json`)).toBe(true);
  // In a restarted container, a stage may have the number of the killed one.
  expect(readRunningStage(data)).toBeUndefined();
  removeRunningStage(data);
  expect(existsSync(`${data}.stage.json`)).toBe(false);
});
