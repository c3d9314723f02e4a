import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { localClientConfig } from '../../../../infra/local-access/local-names.ts';
import { explainDataFile } from '../../../../infra/local/database/data-file.ts';
import {
  findEmulator,
  PORTS_CLOSED_TO_BROWSERS,
  startEmbeddedDynamodb,
  type EmbeddedDynamodb,
  type EmbeddedDynamodbOptions,
} from '../../../../infra/local/database/embedded-dynamodb.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { TABLES } from '../../../../infra/stage/tables.ts';
import { createDocumentClient } from '../../../../lib/aws/clients.ts';
import { isListening } from '../../../support/http/addresses.ts';

const givenDatabase = async (options: EmbeddedDynamodbOptions): Promise<EmbeddedDynamodb> => {
  const database = await startEmbeddedDynamodb(options);
  onTestFinished(() => database.close());
  return database;
};

const givenFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'embedded-dynamodb-'));

const clientOf = ({ endpoint }: EmbeddedDynamodb): DynamoDBClient => {
  const client = new DynamoDBClient(localClientConfig(endpoint));
  onTestFinished(() => client.destroy());
  return client;
};

const tablesOf = async (database: EmbeddedDynamodb): Promise<string[] | undefined> =>
  (await clientOf(database).send(new ListTablesCommand())).TableNames;

const prepareCarts = ({ endpoint }: EmbeddedDynamodb): Promise<void> =>
  prepareTable(createDocumentClient(localClientConfig(endpoint)), 'carts', TABLES.carts);

/** A data file with a table, in a folder of its own. */
const givenDataFile = async (): Promise<string> => {
  const data = join(await givenFolder(), 'deep', 'data.db');
  const database = await givenDatabase({ data });
  await prepareCarts(database);
  await database.close();
  return data;
};

test('a table in a file survives a restart with its keys, and the folder of the file is created', async () => {
  const database = await givenDatabase({ data: await givenDataFile() });
  expect(await tablesOf(database)).toEqual(['carts']);
  // It rejects a table with other keys or indexes.
  await prepareCarts(database);
});

test('a closed database leaves no process, and may be closed again', async () => {
  const database = await givenDatabase({ data: 'memory' });
  await tablesOf(database);

  await Promise.all([database.close(), database.close()]);

  await database.exited;
  expect(await isListening(database.endpoint)).toBe(false);
  await expect(database.close()).resolves.toBeUndefined();
});

test('a database ends with the process that started it, even if that is killed', async () => {
  const script = join(await givenFolder(), 'crash.mjs');
  const module = new URL('../../../../infra/local/database/embedded-dynamodb.ts', import.meta.url).href;
  await writeFile(
    script,
    `import { startEmbeddedDynamodb } from ${JSON.stringify(module)};
     const { endpoint } = await startEmbeddedDynamodb({ data: 'memory' });
     process.stdout.write(endpoint, () => process.kill(process.pid, 'SIGKILL'));`,
  );

  const endpoint = await new Promise<string>((resolve) => {
    execFile(process.execPath, [script], (_error, stdout) => resolve(stdout));
  });

  expect(endpoint).toMatch(/^http:/);
  await expect.poll(() => isListening(endpoint)).toBe(false);
});

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

test('only their owner may read the data files and a new folder', async () => {
  const data = await givenDataFile();
  await givenDatabase({ data });

  expect(await modeOf(dirname(data))).toBe('700');
  const files = await readdir(dirname(data));
  expect(files.toSorted()).toStrictEqual(['data.db', 'data.db-shm', 'data.db-wal']);
  for (const file of files) expect([file, await modeOf(join(dirname(data), file))]).toEqual([file, '600']);
});

test('files that others can read become private, with no other change of their rights', async () => {
  const data = await givenDataFile();
  const files = [data, `${data}-wal`, `${data}-shm`];
  for (const file of files) {
    await writeFile(file, '', { flag: 'a' });
    await chmod(file, 0o644);
  }

  await givenDatabase({ data });

  for (const file of files) expect([file, await modeOf(file)]).toEqual([file, '600']);
});

test('a data file that a running stage uses is rejected, with the address to share', async () => {
  const data = await givenDataFile();
  const stage = {
    processId: process.ppid,
    baseUrl: 'http://127.0.0.1:1',
    dynamodbEndpoint: 'http://127.0.0.1:2',
  };
  await givenDatabase({ data });
  await expect(startEmbeddedDynamodb({ data })).rejects.toThrow(
    `Another stage already uses the data file ${data}: end it, or choose another with --data FILE.`,
  );

  await writeFile(`${data}.stage.json`, JSON.stringify(stage));
  await expect(startEmbeddedDynamodb({ data })).rejects.toThrow(
    `Process ${process.ppid} already uses the data file ${data}: ` +
      'end it, share its database with --dynamodb http://127.0.0.1:2, or choose another with --data FILE.',
  );
});

const CORRUPT = 'is corrupt, or another program made it: move it away and start again';
const CLOSED = 'cannot be read and written: check the permissions of the file and of its folder';
const FULL = 'cannot be written: free space on its disk';

const sentenceOf = (data: string, issue: string): string =>
  `The data file ${data} ${issue}, or choose another with --data FILE.`;

test.each<[string, (data: string) => Promise<void>]>([
  ['is no database', (data) => writeFile(data, 'no database')],
  ['has damaged pages', async (data) => writeFile(data, (await readFile(data)).fill(7, 4_096))],
])('a data file that %s is named in one sentence, with the remedy', async (_what, spoil) => {
  const data = await givenDataFile();
  await spoil(data);

  await expect(startEmbeddedDynamodb({ data })).rejects.toThrow(sentenceOf(data, CORRUPT));
});

test.each([
  ['attempt to write a readonly database', CLOSED],
  ['unable to open database file', CLOSED],
  ['authorization denied', CLOSED],
  ['database or disk is full', FULL],
  ['disk I/O error', FULL],
])('the words of the emulator about a data file become one sentence: %s', (words, issue) => {
  const error = explainDataFile('data.db', `error: Internal error: ${words}`);
  expect(error?.message).toBe(sentenceOf('data.db', issue));
});

test('a data file that cannot grow is named in one sentence', async () => {
  const data = join(await givenFolder(), 'data.db');
  const { command, ...emulator } = findEmulator(process.platform, process.arch);
  const args = ['-c', 'ulimit -f 1; exec "$0" "$@"', command];

  await expect(
    startEmbeddedDynamodb({ data, program: { ...emulator, command: 'sh', args } }),
  ).rejects.toThrow(sentenceOf(data, FULL));
});

test.each([
  ['a folder', () => givenFolder()],
  ['a device', async () => '/dev/null'],
])('a data file that is %s is rejected, and keeps its permissions', async (_what, given) => {
  const data = await given();
  const before = await modeOf(data);

  await expect(startEmbeddedDynamodb({ data })).rejects.toThrow(
    `${data} is not a regular file: choose another with --data FILE.`,
  );
  expect(await modeOf(data)).toBe(before);
});

test('the emulator listens where browsers never connect', async () => {
  const { hostname, port } = new URL((await givenDatabase({ data: 'memory' })).endpoint);

  expect(hostname).toMatch(/^127\./);
  expect(PORTS_CLOSED_TO_BROWSERS).toContain(Number(port));
  // The client of Node follows the Fetch Standard.
  await expect(fetch(`http://${hostname}:${port}`)).rejects.toMatchObject({ cause: new Error('bad port') });
});

test('a missing emulator is reported in one sentence, with an alternative', async () => {
  const program = { command: 'no-such-emulator', args: [], startTimeoutMs: 15_000, stopTimeoutMs: 3_000 };

  await expect(startEmbeddedDynamodb({ data: 'memory', program })).rejects.toThrow(
    /^The embedded DynamoDB did not start \(.*no-such-emulator.*not found\): start any DynamoDB, such as DynamoDB Local, and pass --dynamodb URL\.$/,
  );
});

test('an emulator that does not respond is ended, even if it ignores SIGTERM', async () => {
  const program = {
    command: process.execPath,
    args: ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);', '--'],
    startTimeoutMs: 200,
    stopTimeoutMs: 50,
  };

  await expect(startEmbeddedDynamodb({ data: 'memory', program })).rejects.toThrow(
    /^The embedded DynamoDB did not respond within 0\.2 s: /,
  );
});

test('an emulator ends with its wrapper program, such as npx', async () => {
  const { command, ...times } = findEmulator(process.platform, process.arch);
  const program = { ...times, command: 'sh', args: ['-c', '"$0" "$@"; exit', command] };
  const database = await givenDatabase({ data: 'memory', program });

  await database.close();

  expect(await isListening(database.endpoint)).toBe(false);
});

test('an emulator that loses its port tries another', async () => {
  const folder = await givenFolder();
  const marker = JSON.stringify(join(folder, 'tried'));
  const emulator = findEmulator(process.platform, process.arch);
  const program = {
    command: process.execPath,
    args: [
      '-e',
      `const { existsSync, writeFileSync } = require('node:fs');
       if (existsSync(${marker})) {
         process.execve(${JSON.stringify(emulator.command)}, [${JSON.stringify(emulator.command)}, ...process.argv.slice(1)]);
       }
       writeFileSync(${marker}, '');
       console.error('error: port is already in use');
       process.exitCode = 1;`,
      '--',
    ],
    startTimeoutMs: 15_000,
    stopTimeoutMs: 3_000,
  };

  expect(await tablesOf(await givenDatabase({ data: 'memory', program }))).toEqual([]);
});

test('a platform without a native package runs the umbrella package', () => {
  expect(findEmulator('sunos', 'mips')).toMatchObject({
    command: 'npx',
    args: ['--yes', expect.stringMatching(/^dynoxide@\d/)],
  });
});
