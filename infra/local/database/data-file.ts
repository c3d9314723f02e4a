import { appendFile, chmod, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makePrivateFolder } from '../../core/private-folder.ts';
import { lockDataFile, type Unlock } from '../../local-access/data-file-lock.ts';
import { readRunningStage, removeKilledStage } from '../../local-access/running-stage.ts';
import { OperatorError } from '../../terminal/operator-error.ts';

const REMEDY = 'choose another with --data FILE';

/** Keeps others from a file that exists. The emulator creates a new one with mode 0600. */
const makePrivate = async (file: string): Promise<void> => {
  const mode = (await stat(file).catch(() => undefined))?.mode ?? 0;
  if ((mode & 0o077) === 0) return;
  await chmod(file, mode & 0o700).catch(() => {
    throw new OperatorError(`Others can read ${file}, and it belongs to another user: ${REMEDY}.`);
  });
};

/** Creates the file if it is missing, and locks it. */
const lock = async (data: string): Promise<Unlock> => {
  try {
    await appendFile(data, '', { mode: 0o600 });
  } catch {
    throw new OperatorError(`The data file ${data} cannot be written: ${REMEDY}.`);
  }
  const release = await lockDataFile(data);
  if (release) return release;
  const stage = await readRunningStage(data);
  const share = stage ? `share its database with --dynamodb ${stage.dynamodbEndpoint}, ` : '';
  const user = stage ? `Process ${stage.processId}` : 'Another stage';
  throw new OperatorError(`${user} already uses the data file ${data}: end it, ${share}or ${REMEDY}.`);
};

/**
 * Prepares the emulator's data file: creates it and its folder, locks it, and lets only the owner read the files.
 *
 * @returns the end of the lock
 * @throws OperatorError if the file cannot be used, or if a running stage uses it
 */
export const prepareDataFile = async (data: string): Promise<Unlock> => {
  if (data === '') throw new OperatorError(`The data file has no name: ${REMEDY}.`);
  try {
    makePrivateFolder(dirname(resolve(data)));
  } catch {
    throw new OperatorError(`The folder ${dirname(data)} cannot be created: ${REMEDY}.`);
  }
  const stored = await stat(data).catch(() => undefined);
  if (stored?.isFile() === false) throw new OperatorError(`${data} is not a regular file: ${REMEDY}.`);
  const release = await lock(data);
  removeKilledStage(data);
  // SQLite gives the files beside a data file its mode only when it creates them.
  await Promise.all([data, `${data}-wal`, `${data}-shm`].map(makePrivate)).catch((error: unknown) => {
    release();
    throw error;
  });
  return release;
};

/** The emulator's messages about an unusable data file, each with the end of the operator's sentence. */
const DATA_ISSUES: readonly (readonly [words: RegExp, issue: string])[] = [
  [
    /not a (?:valid SQLite )?database|disk image is malformed/,
    `is corrupt, or another program made it: move it away and start again, or ${REMEDY}`,
  ],
  [
    /readonly database|unable to open database file|authorization denied/,
    `cannot be read and written: check the permissions of the file and of its folder, or ${REMEDY}`,
  ],
  [/disk is full|disk I\/O error/, `cannot be written: free space on its disk, or ${REMEDY}`],
];

/** The sentence for a failure of the embedded DynamoDB that its data file causes, or `undefined` for any other failure. */
export const explainDataFile = (data: string, failure: string): OperatorError | undefined => {
  const [, issue] = DATA_ISSUES.find(([words]) => words.test(failure)) ?? [];
  return issue === undefined ? undefined : new OperatorError(`The data file ${data} ${issue}.`);
};
