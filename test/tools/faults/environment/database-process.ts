import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { findEmulator } from '../../../../infra/local/database/embedded-dynamodb.ts';
import { givenDeadAddress } from '../../../support/http/addresses.ts';

const START_TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 20;

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
  const endpoint = await givenDeadAddress();
  const { hostname, port } = new URL(endpoint);
  let child: ChildProcess | undefined;
  process.once('exit', () => child?.kill('SIGKILL'));

  return {
    endpoint,
    start: async (): Promise<void> => {
      const serve = ['serve', '--host', hostname, '--port', port, '--db-path', file];
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
