import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasCode } from '../terminal/error-code.ts';
import { OperatorError } from '../terminal/operator-error.ts';
import { LOCAL_FOLDER } from '../terminal/project.ts';

/** The default data file of the local stage. */
export const DEFAULT_DATA_FILE = join(LOCAL_FOLDER, 'dynamodb.sqlite');

/** The running local stage of a data file, for the operators' command line and for another start on the file. */
interface StageFile {
  readonly processId: number;
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
}

const fileOf = (data: string): string => `${resolve(data)}.stage.json`;

const parse = (data: string): StageFile => JSON.parse(readFileSync(fileOf(data), 'utf8')) as StageFile;

/**
 * Reads the addresses of the stage that runs on a data file. Returns `undefined` if none runs.
 *
 * @throws OperatorError if the stage is another user's
 */
export const readRunningStage = (data = DEFAULT_DATA_FILE): StageFile | undefined => {
  try {
    const stage = parse(data);
    // Signal 0 checks whether the process lives: a killed stage leaves its file.
    process.kill(stage.processId, 0);
    // In a restarted container, this process may have the number of the killed one.
    return stage.processId === process.pid ? undefined : stage;
  } catch (error) {
    if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')) return undefined;
    throw new OperatorError(
      `The local stage that wrote ${fileOf(data)} belongs to another user: run the command as that user.`,
    );
  }
};

/** Writes the addresses of this process's stage. */
export const writeRunningStage = (data: string, stage: Omit<StageFile, 'processId'>): void => {
  // Only a new file gets the mode.
  rmSync(fileOf(data), { force: true });
  writeFileSync(fileOf(data), `${JSON.stringify({ processId: process.pid, ...stage })}\n`, { mode: 0o600 });
};

/** Removes the file that this process wrote. The file of another process stays. */
export const removeRunningStage = (data: string): void => {
  try {
    if (parse(data).processId === process.pid) rmSync(fileOf(data));
  } catch {
    // There is none, or it is another user's.
  }
};
