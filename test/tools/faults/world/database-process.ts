import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { findEmulator } from '../../../../infra/local/embedded-dynamodb.ts';
import { listen } from '../../../../infra/local/gateway/listen.ts';

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 20;

/** A DynamoDB whose process a test may end, freeze and start again, on the same file and port. */
export interface DatabaseProcess {
  readonly port: number;
  readonly endpoint: string;
  /** Starts it; returns once it answers. */
  start(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** It keeps its connections, and does nothing. */
  freeze(): void;
  thaw(): void;
}

const findFreePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server, HOST, 0);
  server.close();
  await once(server, 'close');
  return port;
};

const accepts = async (port: number): Promise<boolean> => {
  const probe = connect(port, HOST);
  try {
    await once(probe, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    probe.destroy();
  }
};

/** Prepares the embedded DynamoDB on a file; POSIX alone has the signals that freeze a process. */
export const createDatabaseProcess = async (file: string): Promise<DatabaseProcess> => {
  const { command, args } = findEmulator(process.platform, process.arch);
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  process.once('exit', () => child?.kill('SIGKILL'));

  return {
    port,
    endpoint: `http://${HOST}:${port}`,
    start: async () => {
      const serve = ['serve', '--host', HOST, '--port', String(port), '--db-path', file];
      const started = spawn(command, [...args, ...serve], { stdio: 'ignore' });
      child = started;
      const deadlineMs = performance.now() + START_TIMEOUT_MS;
      while (!(await accepts(port))) {
        if (started.exitCode !== null || performance.now() > deadlineMs) {
          throw new Error('The embedded DynamoDB does not start');
        }
        await setTimeout(POLL_INTERVAL_MS);
      }
    },
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
};
