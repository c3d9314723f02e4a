import { existsSync, readFileSync } from 'node:fs';
import { chmod, link, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockDataFile } from '../../../infra/local-access/data-file-lock.ts';
import {
  readRunningStage,
  removeRunningStage,
  writeRunningStage,
} from '../../../infra/local-access/running-stage.ts';

/** The process lives, as another one may that has the number of a killed stage. */
const STAGE = {
  processId: process.ppid,
  baseUrl: 'http://127.0.0.1:1',
  dynamodbEndpoint: 'http://127.0.0.1:2',
};

/** A data file with the file of a stage. */
const givenDataFile = async (): Promise<string> => {
  const data = join(await mkdtemp(join(tmpdir(), 'stage-file-')), 'data');
  await writeFile(data, '');
  await writeFile(`${data}.stage.json`, JSON.stringify(STAGE));
  return data;
};

const lock = async (data: string) => {
  const release = await lockDataFile(data);
  if (release) onTestFinished(release);
  return release;
};

test('a running stage is found by its file', async () => {
  const data = await givenDataFile();
  await lock(data);
  expect(await readRunningStage(data)).toStrictEqual(STAGE);
});

test('a killed stage is not found, although another process has its number, and one that never ran is not', async () => {
  const data = await givenDataFile();
  expect(await readRunningStage(data)).toBeUndefined();
  expect(await readRunningStage(`${data}.none`)).toBeUndefined();
});

test('a data file has one lock, also by another of its names, until its release', async () => {
  const data = await givenDataFile();
  await link(data, `${data}.link`);
  const locks = await Promise.all([lock(data), lock(data), lock(`${data}.link`)]);
  const [release, ...others] = locks.filter((each) => each !== undefined);
  expect(others).toStrictEqual([]);
  release?.();
  expect(await lock(`${data}.link`)).toBeDefined();
});

// Root can read every file.
test.each(['EACCES'].filter(() => process.getuid?.() !== 0))(
  "another user's stage is reported in one sentence with the remedy: %s",
  async () => {
    const data = await givenDataFile();
    await lock(data);
    await chmod(`${data}.stage.json`, 0);
    await expect(readRunningStage(data)).rejects.toThrow(
      `The local stage that wrote ${data}.stage.json belongs to another user: run the command as that user.`,
    );
  },
);

test('a stage removes its own file alone', async () => {
  const data = await givenDataFile();
  removeRunningStage(data);
  expect(JSON.parse(readFileSync(`${data}.stage.json`, 'utf8'))).toStrictEqual(STAGE);

  const { processId: _, ...addresses } = STAGE;
  writeRunningStage(data, addresses);
  expect(existsSync(`${data}.stage.json`)).toBe(true);
  removeRunningStage(data);
  expect(existsSync(`${data}.stage.json`)).toBe(false);
});
