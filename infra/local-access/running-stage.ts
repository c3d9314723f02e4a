import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LOCAL_FOLDER } from '../core/project.ts';
import { hasCode } from '../core/system-errors.ts';
import { OperatorError } from '../terminal/operator-error.ts';
import { isDataFileLocked } from './data-file-lock.ts';

/** The word in place of a data file, for a stage that keeps its data in memory. */
export const IN_MEMORY = 'memory';

/** The default data file of the local stage. */
export const DEFAULT_DATA_FILE = join(LOCAL_FOLDER, 'dynamodb.sqlite');

/** The running local stage of a data file, for the operators' command line and for another start on the file. */
interface RunningStage {
  readonly processId: number;
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
}

const fileOf = (data: string): string => `${resolve(data)}.stage.json`;

const parse = (data: string): RunningStage => JSON.parse(readFileSync(fileOf(data), 'utf8')) as RunningStage;

/**
 * Reads the addresses of the stage that runs on a data file. Returns `undefined` if none runs.
 *
 * @throws OperatorError if the stage is another user's
 */
export const readRunningStage = async (data = DEFAULT_DATA_FILE): Promise<RunningStage | undefined> => {
  try {
    // A killed stage leaves its file. The number of its process may be another's by now.
    return (await isDataFileLocked(data)) ? parse(data) : undefined;
  } catch (error) {
    if (!hasCode(error, 'EACCES')) return undefined;
    throw new OperatorError(
      `The local stage that wrote ${fileOf(data)} belongs to another user: run the command as that user.`,
    );
  }
};

/** Writes the addresses of this process's stage. */
export const writeRunningStage = (data: string, stage: Omit<RunningStage, 'processId'>): void => {
  // Only a new file gets the mode.
  rmSync(fileOf(data), { force: true });
  writeFileSync(fileOf(data), `${JSON.stringify({ processId: process.pid, ...stage })}\n`, { mode: 0o600 });
};

/** Forgets the killed stage of a data file. Only the holder of the file's lock may call it. */
export const removeKilledStage = (data: string): void => rmSync(fileOf(data), { force: true });

/** Forgets the stage of this process. That of another process stays. */
export const removeRunningStage = (data: string): void => {
  try {
    if (parse(data).processId === process.pid) removeKilledStage(data);
  } catch {
    // There is none, or it is another user's.
  }
};
