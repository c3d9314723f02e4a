import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LOCAL_FOLDER = join(import.meta.dirname, '../../.local');

/** The default data file of the local stage. */
export const DEFAULT_DATA_FILE = join(LOCAL_FOLDER, 'dynamodb.sqlite');

const STAGE_FILE = join(LOCAL_FOLDER, 'stage.json');

/** The running local stage of the default data file, for the operators' command line. */
export interface StageFile {
  readonly processId: number;
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
}

/** Reads the addresses of the running local stage. Returns `undefined` if none runs. */
export const readStageFile = (): StageFile | undefined => {
  try {
    const stage = JSON.parse(readFileSync(STAGE_FILE, 'utf8')) as StageFile;
    // Signal 0 checks whether the process lives: a killed stage leaves its file.
    process.kill(stage.processId, 0);
    return stage;
  } catch {
    return undefined;
  }
};

/** Writes the addresses of this process's stage, unless another stage already runs. */
export const writeStageFile = (stage: Omit<StageFile, 'processId'>): void => {
  if (readStageFile()) return;
  mkdirSync(dirname(STAGE_FILE), { recursive: true });
  writeFileSync(STAGE_FILE, `${JSON.stringify({ processId: process.pid, ...stage })}\n`);
};

/** Removes the file that this process wrote. The file of another process stays. */
export const removeStageFile = (): void => {
  if (readStageFile()?.processId === process.pid) rmSync(STAGE_FILE, { force: true });
};
