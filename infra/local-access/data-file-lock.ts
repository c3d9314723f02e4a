import { once } from 'node:events';
import { closeSync, constants, openSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { hasCode } from '../core/system-errors.ts';

/** `O_EXLOCK` of macOS, which Node.js does not name: a lock of the opened file, by which another opening fails. */
const EXCLUSIVE_LOCK = 0x20;

/** Ends a lock. */
export type Unlock = () => void;

/** A socket without a file. Its name has the file's identity, which hard links share. */
const socketOf = (file: string): string => {
  const { dev, ino } = statSync(file);
  return `\0cart-checkout-${dev}-${ino}`;
};

const lockOnLinux = async (file: string): Promise<Unlock | undefined> => {
  const server = createServer((socket) => socket.destroy()).unref();
  server.listen(socketOf(file));
  try {
    await once(server, 'listening');
    return () => void server.close();
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) return undefined;
    throw error;
  }
};

/** Another file, because SQLite locks the file itself. */
const lockElsewhere = (file: string): Unlock | undefined => {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | EXCLUSIVE_LOCK;
    const handle = openSync(`${file}.lock`, flags, 0o600);
    return () => closeSync(handle);
  } catch (error) {
    if (hasCode(error, 'EAGAIN')) return undefined;
    throw error;
  }
};

/**
 * Locks a data file, which must exist, until the release or the end of this process. The kernel ends the lock of a killed process.
 *
 * @returns `undefined` if another process, or another part of this one, has the lock
 */
export const lockDataFile = async (file: string): Promise<Unlock | undefined> =>
  process.platform === 'linux' ? lockOnLinux(file) : lockElsewhere(file);

/** Whether a data file is locked. */
export const isDataFileLocked = async (file: string): Promise<boolean> => {
  try {
    if (process.platform !== 'linux') {
      const release = lockElsewhere(file);
      release?.();
      return release === undefined;
    }
    const socket = connect(socketOf(file));
    await once(socket, 'connect');
    socket.destroy();
    return true;
  } catch {
    // There is no file, or nobody listens.
    return false;
  }
};
