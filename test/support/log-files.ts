import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSecrets } from './secrets.ts';

/** Where everything that the service logs during a run is collected, one file a process. */
const FOLDER_VARIABLE = 'TEST_LOG_FOLDER';

const logFolder = (): string => {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined) throw new Error('This is no process of a test run');
  return folder;
};

/** Makes the folder of this run and tells the run's processes, which inherit the environment. */
export const createLogFolder = (): void => {
  process.env[FOLDER_VARIABLE] = mkdtempSync(join(tmpdir(), 'cart-checkout-logs-'));
};

/** Removes the folder of this run. */
export const removeLogFolder = (): void => rmSync(logFolder(), { recursive: true, force: true });

/** Adds to this process's file. */
export const appendToLogFile = (text: string): void => {
  appendFileSync(join(logFolder(), `${process.pid}.log`), text);
};

/** Reads what a run has logged: how many lines, and each line that holds what no log may hold, with the reason. */
const inspectLogFiles = (): { lines: number; leaks: string[] } => {
  const lines = readdirSync(logFolder()).flatMap((name) =>
    readFileSync(join(logFolder(), name), 'utf8').split('\n').filter(Boolean),
  );
  const leaks = lines.flatMap((line) => {
    const kinds = findSecrets(line);
    return kinds.length > 0 ? [`${kinds.join(' and ')} in: ${line}`] : [];
  });
  return { lines: lines.length, leaks };
};

/**
 * Ends the logs of this run: searches them, tells how many lines there were, and removes the folder.
 *
 * @throws Error that lists the lines that hold what no log may hold; the run then fails
 */
export const endLogFolder = (): void => {
  const { lines, leaks } = inspectLogFiles();
  removeLogFolder();
  if (leaks.length > 0) {
    process.exitCode = 1;
    throw new Error(
      `${leaks.length} of ${lines} log lines hold what no log may hold:\n${leaks.slice(0, 10).join('\n')}`,
    );
  }
  process.stdout.write(`${lines} log lines searched: no API key, e-mail address, name or phone number\n`);
};
