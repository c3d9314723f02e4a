import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { hasCode } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';
import { listProcesses, type MachineProcess } from './machine-processes.ts';

const POLL_INTERVAL_MS = 10;
const END_TIMEOUT_MS = 3_000;
const GROUP_AND_OTHERS = 0o077;
const REMEDY = 'choose another with --data FILE';

/**
 * Prepares the emulator's data file. It creates the folder, and removes the permissions of other users. It ends an
 * emulator that lost its stage and still uses this file.
 *
 * @throws OperatorError if the file cannot be used, or if a running stage uses it
 */
export const prepareDataFile = async (data: string): Promise<void> => {
  if (data === '') throw new OperatorError(`The data file has no name: ${REMEDY}.`);
  await makeFolder(dirname(resolve(data))).catch(() => {
    throw new OperatorError(`The folder ${dirname(data)} cannot be created: ${REMEDY}.`);
  });
  if (!(await makePrivate(data))) return;
  // The emulator keeps recent writes in these files.
  for (const suffix of ['-wal', '-shm']) await makePrivate(data + suffix);
  await endLeftEmulator(resolve(data));
};

/** Creates a folder and its parents. Node's own recursive creation never ends below `/proc`. */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      await makeFolder(dirname(folder));
      await mkdir(folder, { mode: 0o700 });
    } else if (!(await stat(folder)).isDirectory()) {
      throw error;
    }
  }
};

/** Removes the permissions of other users on a file. Returns whether the file exists. */
const makePrivate = async (file: string): Promise<boolean> => {
  try {
    const stored = await stat(file);
    if (!stored.isFile()) throw new OperatorError(`${file} is not a regular file: ${REMEDY}.`);
    if (stored.mode & GROUP_AND_OTHERS) await chmod(file, stored.mode & ~GROUP_AND_OTHERS);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The data file ${file} cannot be made private: check its owner and its file system, or ${REMEDY}.`,
    );
  }
};

/** The emulator and its wrappers on a file. In every version, the file is their last argument. */
const usersOf = (processes: readonly MachineProcess[], file: string): MachineProcess[] =>
  processes.filter(({ command }) => command.includes(' serve ') && command.endsWith(` --db-path ${file}`));

/** The nearest Node process among the ancestors of a process. There is none after the end of its stage. */
const findStage = (
  processes: readonly MachineProcess[],
  users: readonly MachineProcess[],
  { parentId }: MachineProcess,
): MachineProcess | undefined => {
  const parent = processes.find(({ processId }) => processId === parentId);
  if (!parent) return undefined;
  const isNode = /^(?:\S*\/)?node(?: |$)/.test(parent.command) && !users.includes(parent);
  return isNode ? parent : findStage(processes, users, parent);
};

const endLeftEmulator = async (file: string): Promise<void> => {
  const processes = await listProcesses();
  const users = usersOf(processes, file);
  for (const user of users) {
    const stage = findStage(processes, users, user);
    if (stage) {
      throw new OperatorError(
        `Process ${stage.processId} already uses the data file ${file}: end it, share its database with --dynamodb URL, or ${REMEDY}.`,
      );
    }
  }
  for (const { processId } of users) kill(processId, file);
  await waitForEnd(users, file);
};

const cannotEnd = (processId: number, file: string): OperatorError =>
  new OperatorError(
    `Process ${processId} uses the data file ${file} and does not end: end it, or ${REMEDY}.`,
  );

const kill = (processId: number, file: string): void => {
  try {
    // This loses nothing: committed writes are in the files.
    process.kill(processId, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw cannotEnd(processId, file);
  }
};

const waitForEnd = async (killed: readonly MachineProcess[], file: string): Promise<void> => {
  if (killed.length === 0) return;
  const deadlineMs = Date.now() + END_TIMEOUT_MS;
  for await (const _ of setInterval(POLL_INTERVAL_MS)) {
    const [remaining] = usersOf(await listProcesses(), file);
    if (!remaining) return;
    if (Date.now() > deadlineMs) throw cannotEnd(remaining.processId, file);
  }
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
