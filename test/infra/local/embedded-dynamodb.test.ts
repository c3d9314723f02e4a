import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import {
  findEmulator,
  startEmbeddedDynamodb,
  type EmbeddedDynamodb,
  type EmbeddedDynamodbOptions,
} from '../../../infra/local/embedded-dynamodb.ts';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import { prepareTable } from '../../../infra/local/prepare-table.ts';
import { TABLES } from '../../../infra/tables.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { isListening } from '../../support/addresses.ts';

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

test('a table in a file survives a restart, and the folder of the file is created', async () => {
  const data = join(await givenFolder(), 'deep', 'data.db');
  const first = await givenDatabase({ data });
  await prepareTable(createDocumentClient(localClientConfig(first.endpoint)), 'carts', TABLES.carts);
  await first.close();

  expect(await tablesOf(await givenDatabase({ data }))).toEqual(['carts']);
});

test('a closed database leaves no process, and may be closed again', async () => {
  const database = await givenDatabase({ data: 'memory' });
  await tablesOf(database);

  await Promise.all([database.close(), database.close()]);

  await expect(database.exited).resolves.toBe(0);
  expect(await isListening(database.endpoint)).toBe(false);
  await expect(database.close()).resolves.toBeUndefined();
});

test.each([
  ['throws', 'throw new Error("crash");'],
  ['exits', 'process.exit(3);'],
])('a database ends if the process that started it %s', async (_what, crash) => {
  const script = join(await givenFolder(), 'crash.mjs');
  const module = new URL('../../../infra/local/embedded-dynamodb.ts', import.meta.url).href;
  await writeFile(
    script,
    `import { startEmbeddedDynamodb } from ${JSON.stringify(module)};
     const { endpoint } = await startEmbeddedDynamodb({ data: 'memory' });
     process.stdout.write(endpoint, () => setImmediate(() => { ${crash} }));`,
  );

  const endpoint = await new Promise<string>((resolve) => {
    execFile(process.execPath, [script], (_error, stdout) => resolve(stdout));
  });

  expect(endpoint).toMatch(/^http:/);
  await expect.poll(() => isListening(endpoint)).toBe(false);
});

test('a file that is not a database is reported in one sentence, with the reason of the emulator', async () => {
  const data = join(await givenFolder(), 'data.db');
  await writeFile(data, 'no database');

  await expect(startEmbeddedDynamodb({ data })).rejects.toThrow(
    /^The embedded DynamoDB did not start \(.*not a valid SQLite database.*\): start any DynamoDB, .*--dynamodb URL\.$/,
  );
});

test('a missing emulator is reported in one sentence, with an alternative', async () => {
  const program = { command: 'no-such-emulator', args: [], startTimeoutMs: 15_000, stopTimeoutMs: 3_000 };

  await expect(startEmbeddedDynamodb({ data: 'memory', program })).rejects.toThrow(
    'The embedded DynamoDB did not start (spawn no-such-emulator ENOENT): ' +
      'start any DynamoDB, such as DynamoDB Local, and pass --dynamodb URL.',
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
