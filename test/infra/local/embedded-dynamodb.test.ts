import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import {
  findEmulator,
  startEmbeddedDynamodb,
  type EmbeddedDynamodb,
  type EmbeddedDynamodbOptions,
} from '../../../infra/local/embedded-dynamodb.ts';

const givenDatabase = async (options: EmbeddedDynamodbOptions): Promise<EmbeddedDynamodb> => {
  const database = await startEmbeddedDynamodb(options);
  onTestFinished(() => database.close());
  return database;
};

const givenFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-dynamodb-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const clientOf = ({ endpoint }: EmbeddedDynamodb): DynamoDBClient => {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  onTestFinished(() => client.destroy());
  return client;
};

const createTable = (database: EmbeddedDynamodb, name: string): Promise<unknown> =>
  clientOf(database).send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );

const tablesOf = async (database: EmbeddedDynamodb): Promise<string[] | undefined> =>
  (await clientOf(database).send(new ListTablesCommand())).TableNames;

/** Whether anything listens at an address. */
const isListening = (endpoint: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(endpoint).port), '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    onTestFinished(() => void socket.destroy());
  });

test('a database responds as soon as it is started', async () => {
  expect(await tablesOf(await givenDatabase({ data: 'memory' }))).toEqual([]);
});

test('a table in a file survives a restart, and the folder of the file is made', async () => {
  const data = join(await givenFolder(), 'deep', 'data.db');
  const first = await givenDatabase({ data });
  await createTable(first, 'carts');
  await first.close();

  expect(await tablesOf(await givenDatabase({ data }))).toEqual(['carts']);
});

test('databases in memory share nothing and leave no file', async () => {
  const [first, second] = await Promise.all([
    givenDatabase({ data: 'memory' }),
    givenDatabase({ data: 'memory' }),
  ]);
  await createTable(first, 'carts');

  expect(await tablesOf(second)).toEqual([]);
  expect(await readdir('.')).not.toContainEqual(expect.stringMatching(/^memory|\.(db|sqlite)/));
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
])('a database ends with the process that started it, when that %s', async (_what, crash) => {
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

test('a file that is no database is reported in one sentence with the reason of the emulator', async () => {
  const data = join(await givenFolder(), 'data.db');
  await writeFile(data, 'no database');

  await expect(startEmbeddedDynamodb({ data })).rejects.toThrow(
    /^The embedded DynamoDB did not start \(.*not a valid SQLite database.*\): start any DynamoDB, .*--dynamodb URL\.$/,
  );
});

test('an emulator that cannot be run is reported in one sentence with what to do instead', async () => {
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

test('an emulator ends together with the program, such as npx, that wraps it', async () => {
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
