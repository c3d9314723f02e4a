import { spawnSync } from 'node:child_process';
import { hasEveryLanguage } from './merchant-project.ts';

const installed = new Map<string, boolean>();

/** Whether this machine has a program that prints its version. Asks each program once. */
const isInstalled = (command: string): boolean => {
  const isFound = installed.get(command) ?? spawnSync(command, ['--version']).status === 0;
  installed.set(command, isFound);
  return isFound;
};

/**
 * Whether this run tests the programs of a language. `npm test` needs nothing but Node.js, and `npm run test:clients` tests
 * every language. Warns about one that the machine lacks.
 *
 * @param command runs the programs of the language
 */
export const isTested = (language: string, command: string): boolean => {
  if (command === process.execPath) return true;
  if (!hasEveryLanguage()) return false;
  const isRunnable = isInstalled(command);
  if (!isRunnable) console.warn(`${language.toUpperCase()} IS NOT TESTED: this machine has no ${command}`);
  return isRunnable;
};
