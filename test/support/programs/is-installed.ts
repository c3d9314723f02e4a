import { spawnSync } from 'node:child_process';

const found = new Map<string, boolean>();

/** Whether this machine has a program that prints its version. Asks each program once. */
export const isInstalled = (command: string): boolean => {
  const isFound =
    found.get(command) ?? (command === process.execPath || spawnSync(command, ['--version']).status === 0);
  found.set(command, isFound);
  return isFound;
};
