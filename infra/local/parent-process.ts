import { fstatSync } from 'node:fs';

/** How often the number of the parent process is compared, in milliseconds. */
const POLL_MS = 500;

/**
 * Calls a function when the program that started this process ends in any way, also by SIGKILL. Standard input shows it if that is
 * a pipe, which the system then closes: with npx, npm stands between the two processes, and lives on. Else the number of the
 * parent process changes.
 */
export const onParentEnd = (end: () => void): void => {
  const input = fstatSync(0);
  // Node.js makes a socket for a pipe of a child process.
  if (input.isFIFO() || input.isSocket()) process.stdin.once('end', end).once('error', end).resume();
  const parentId = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parentId) return;
    clearInterval(timer);
    end();
  }, POLL_MS).unref();
};
