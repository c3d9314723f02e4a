import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { listen } from '../../../infra/local/gateway/listen.ts';

export interface Database {
  readonly endpoint: string;
  close(): Promise<void>;
}

const LOCAL_FOLDER = join(import.meta.dirname, '../../../.local');

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/** Amazon moved the artifact to another group with its third major version. */
const groupOf = (version: string): string =>
  Number.parseInt(version, 10) >= 3 ? 'software.amazon.dynamodb' : 'com.amazonaws';

const pomOf = (version: string): string => `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>differential</groupId><artifactId>differential</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>${groupOf(version)}</groupId><artifactId>DynamoDBLocal</artifactId><version>${version}</version>
  </dependency></dependencies>
</project>
`;

/** Installs a version from Maven Central into this project's `.local` folder, unless it is there already. */
const install = async (version: string): Promise<string> => {
  const folder = join(LOCAL_FOLDER, `dynamodb-local-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, 'pom.xml'), pomOf(version));
    const args = [
      '-B',
      '-q',
      'dependency:copy-dependencies',
      '-DoutputDirectory=lib',
      '-DincludeScope=runtime',
    ];
    await promisify(execFile)('mvn', args, { cwd: unfinished });
    await rename(unfinished, folder);
    return folder;
  } catch (error) {
    const { stdout = '', message } = error as { stdout?: string; message: string };
    const problem = `DynamoDB Local ${version} could not be installed with mvn: ${stdout || message}`;
    throw new Error(problem, { cause: error });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
};

const findPort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server, '127.0.0.1', 0);
  server.close();
  await once(server, 'close');
  return port;
};

const responds = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

const jarsOf = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.jar')).map((name) => join(folder, name));

const MAIN_CLASS_OF_V3 = 'software.amazon.dynamodb.services.local.main.ServerRunner';
const MAIN_CLASS_OF_V2 = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';

const mainClassOf = async (jars: readonly string[]): Promise<string> => {
  const jar = jars.find((path) => basename(path).startsWith('DynamoDBLocal'));
  if (jar === undefined) throw new Error('The folder has no DynamoDBLocal.jar');
  // A jar lists its files in plain text.
  const isV3 = (await readFile(jar)).includes(MAIN_CLASS_OF_V3.replaceAll('.', '/'));
  return isV3 ? MAIN_CLASS_OF_V3 : MAIN_CLASS_OF_V2;
};

/**
 * Starts DynamoDB Local in memory, on a free port.
 *
 * @param source a version of Maven Central, such as `3.1.0`, or a folder with its jars and native libraries
 */
export const startDynamodbLocal = async (source: string): Promise<Database> => {
  const root = /^\d+\.\d+/.test(source) ? await install(source) : source;
  const folders = [join(root, 'lib'), join(root, 'DynamoDBLocal_lib'), root].filter((folder) =>
    existsSync(folder),
  );
  const jars = (await Promise.all(folders.map(jarsOf))).flat();
  const port = await findPort();
  const args = [
    `-Djava.library.path=${folders.join(':')}`,
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=off',
    '-cp',
    jars.join(':'),
    await mainClassOf(jars),
    '-inMemory',
    '-sharedDb',
    '-disableTelemetry',
    '-port',
    String(port),
  ];
  // Without its own group, Ctrl-C would end it before its clients.
  const child = spawn('java', args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-2_000)));
  child.on('error', ({ message }) => (stderr += message));
  const exited = once(child, 'close').catch(() => undefined);
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const endpoint = `http://127.0.0.1:${port}`;
  const endsAtMs = Date.now() + START_TIMEOUT_MS;
  while (!(await responds(endpoint))) {
    if (child.exitCode !== null || Date.now() > endsAtMs) {
      await close();
      throw new Error(`DynamoDB Local ${source} did not start: ${stderr}`);
    }
    await setTimeout(POLL_INTERVAL_MS);
  }
  return { endpoint, close };
};
