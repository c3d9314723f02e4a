import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSecrets } from '../secrets.ts';

/** Names the folder with all log lines of a run: one file per process. */
const FOLDER_VARIABLE = 'TEST_LOG_FOLDER';

const logFolder = (): string => {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined) throw new Error('This process belongs to no test run');
  return folder;
};

/** Makes the run's folder. The run's processes inherit its name in the environment. */
export const createLogFolder = (): void => {
  process.env[FOLDER_VARIABLE] = mkdtempSync(join(tmpdir(), 'cart-checkout-logs-'));
};

/** Removes the run's folder. */
export const removeLogFolder = (): void => rmSync(logFolder(), { recursive: true, force: true });

/** Appends a text to this process's file. */
export const appendToLogFile = (text: string): void => {
  appendFileSync(join(logFolder(), `${process.pid}.log`), text);
};

/** The number of log lines, and each line that contains a secret, with its kind. */
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
 * Searches the run's logs for secrets, prints the number of lines, and removes the folder.
 *
 * @throws Error that lists the lines with secrets; the run then fails
 */
export const endLogFolder = (): void => {
  const { lines, leaks } = inspectLogFiles();
  removeLogFolder();
  if (leaks.length > 0) {
    process.exitCode = 1;
    throw new Error(
      `${leaks.length} of ${lines} log lines contain secrets:\n${leaks.slice(0, 10).join('\n')}`,
    );
  }
  process.stdout.write(`${lines} log lines searched: no API key, e-mail address, name or phone number\n`);
};
