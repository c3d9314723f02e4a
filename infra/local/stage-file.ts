import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';

/** Private files of this machine's stage and tools. */
export const LOCAL_FOLDER = join(import.meta.dirname, '../../.local');

/** The default data file of the local stage. */
export const DEFAULT_DATA_FILE = join(LOCAL_FOLDER, 'dynamodb.sqlite');

const STAGE_FILE = join(LOCAL_FOLDER, 'stage.json');

/** The running local stage of the default data file, for the operators' command line. */
export interface StageFile {
  readonly processId: number;
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
}

const parse = (file: string): StageFile => JSON.parse(readFileSync(file, 'utf8')) as StageFile;

/**
 * Reads the addresses of the running local stage. Returns `undefined` if none runs.
 *
 * @throws OperatorError if the stage is another user's
 */
export const readStageFile = (file = STAGE_FILE): StageFile | undefined => {
  try {
    const stage = parse(file);
    // Signal 0 checks whether the process lives: a killed stage leaves its file.
    process.kill(stage.processId, 0);
    return stage;
  } catch (error) {
    if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')) return undefined;
    throw new OperatorError(
      `The local stage that wrote ${file} belongs to another user: run the command as that user, or pass the --dynamodb URL that the stage printed.`,
    );
  }
};

/** Writes the addresses of this process's stage. No other stage runs on the default data file. */
export const writeStageFile = (stage: Omit<StageFile, 'processId'>): void => {
  mkdirSync(LOCAL_FOLDER, { recursive: true, mode: 0o700 });
  rmSync(STAGE_FILE, { force: true });
  writeFileSync(STAGE_FILE, `${JSON.stringify({ processId: process.pid, ...stage })}\n`, { mode: 0o600 });
};

/** Removes the file that this process wrote. The file of another process stays. */
export const removeStageFile = (): void => {
  try {
    if (parse(STAGE_FILE).processId === process.pid) rmSync(STAGE_FILE);
  } catch {
    // There is none, or it is another user's.
  }
};
