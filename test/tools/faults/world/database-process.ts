import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { findEmulator } from '../../../../infra/local/embedded-dynamodb.ts';
import { listen } from '../../../../infra/local/gateway/listen.ts';

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 20;

const findFreePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server, HOST, 0);
  server.close();
  await once(server, 'close');
  return port;
};

const responds = (endpoint: string): Promise<boolean> =>
  fetch(endpoint, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  );

/**
 * Prepares an embedded DynamoDB that can be killed, frozen and restarted on the same file and port. It needs POSIX, whose
 * signals can freeze a process.
 */
export const createDatabaseProcess = async (file: string) => {
  const { command, args } = findEmulator(process.platform, process.arch);
  const port = await findFreePort();
  const endpoint = `http://${HOST}:${port}`;
  let child: ChildProcess | undefined;
  process.once('exit', () => child?.kill('SIGKILL'));

  return {
    port,
    endpoint,
    start: async (): Promise<void> => {
      const serve = ['serve', '--host', HOST, '--port', String(port), '--db-path', file];
      const started = spawn(command, [...args, ...serve], { stdio: 'ignore' });
      child = started;
      const deadlineMs = performance.now() + START_TIMEOUT_MS;
      while (!(await responds(endpoint))) {
        if (started.exitCode !== null || performance.now() > deadlineMs) {
          throw new Error('The embedded DynamoDB does not start');
        }
        await setTimeout(POLL_INTERVAL_MS);
      }
    },
    kill: async (): Promise<void> => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    /** Keeps its connections open without a response. */
    freeze: (): void => void child?.kill('SIGSTOP'),
    thaw: (): void => void child?.kill('SIGCONT'),
  };
};
