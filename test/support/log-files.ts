import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets } from './secrets.ts';

/** Everything that the service logs during a test run is collected here, one file a process. */
const LOG_FOLDER = join(import.meta.dirname, '../../.local/test-logs');

/** Empties the folder, before a run. */
export const clearLogFiles = (): void => {
  rmSync(LOG_FOLDER, { recursive: true, force: true });
  mkdirSync(LOG_FOLDER, { recursive: true });
};

/** Adds to this process's file. */
export const appendToLogFile = (text: string): void => {
  appendFileSync(join(LOG_FOLDER, `${process.pid}.log`), text);
};

/** Reads what a run has logged: how many lines, and each line that holds what no log may hold, with the reason. */
export const inspectLogFiles = (): { lines: number; leaks: string[] } => {
  const lines = readdirSync(LOG_FOLDER).flatMap((name) =>
    readFileSync(join(LOG_FOLDER, name), 'utf8').split('\n').filter(Boolean),
  );
  const leaks = lines.flatMap((line) => {
    const kinds = findSecrets(line);
    return kinds.length > 0 ? [`${kinds.join(' and ')} in: ${line}`] : [];
  });
  return { lines: lines.length, leaks };
};
