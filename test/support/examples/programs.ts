import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { givenDeadAddress } from '../http/addresses.ts';
import { givenMerchantProject } from '../programs/merchant-project.ts';
import { isTested } from '../programs/tested-languages.ts';

/**
 * The programs of a language, each with its arguments: paths in a merchant's project. `PORT` stands for the port of a server.
 */
interface Programs {
  readonly language: string;
  readonly command: string;
  readonly sell: readonly string[];
  readonly receive: readonly string[];
  readonly work: readonly string[];
  readonly feed: readonly string[];
  readonly call: string;
}

const PROGRAMS: readonly Programs[] = [
  {
    language: 'Node.js',
    command: process.execPath,
    sell: ['node/checkout.mjs'],
    receive: ['node/webhooks.mjs'],
    work: ['node/worker.mjs'],
    feed: ['node/feed.mjs'],
    call: 'node/calls.mjs',
  },
  {
    language: 'Python',
    command: 'python3',
    sell: ['python/checkout.py'],
    receive: ['python/webhooks.py'],
    work: ['python/worker.py'],
    feed: ['python/feed.py'],
    call: 'python/calls.py',
  },
  {
    language: 'PHP',
    command: 'php',
    sell: ['-S', '127.0.0.1:PORT', 'php/checkout.php'],
    receive: ['-S', '127.0.0.1:PORT', 'php/webhooks.php'],
    work: ['php/worker.php'],
    feed: ['php/feed.php'],
    call: 'php/calls.php',
  },
];

/** The programs that this run tests. */
export const testedPrograms = (): readonly Programs[] =>
  PROGRAMS.filter(({ language, command }) => isTested(language, command));

const started = new Set<ChildProcess>();
const inboxes = new Set<string>();

/** Ends a group of processes, also if its first one has ended. */
const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Ends the programs that still run, and removes their inboxes; for `afterAll`. */
export const stopShops = (): void => {
  for (const { pid } of started) if (pid !== undefined) endGroup(pid);
  for (const inbox of inboxes) rmSync(inbox, { recursive: true, force: true });
};

/** A program of a merchant that runs. */
interface Program {
  readonly child: ChildProcess;
  /** Resolves to everything that it has written, once this matches. Rejects if the program ends before. */
  readonly written: (pattern: RegExp) => Promise<string>;
  readonly ended: Promise<number | null>;
}

/** Starts a program, by default in the folder of this process. It inherits the path and no other variable, and ends with {@link stopShops}. */
export const startProgram = (
  command: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  cwd?: string,
): Program => {
  const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', ...settings };
  // A group of its own: a shell's programs end with it.
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true, cwd });
  started.add(child);
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const check of waiting) check();
    });
  }
  const ended = once(child, 'close').then(([exitCode]) => exitCode as number | null);
  const written = async (pattern: RegExp): Promise<string> => {
    const found = new Promise<void>((resolve) => {
      const check = (): void => {
        if (pattern.test(output)) resolve();
      };
      waiting.add(check);
      check();
    });
    await Promise.race([found, ended]);
    if (!pattern.test(output))
      throw new Error(`${args.join(' ')} ended without ${pattern.source}: ${output}`);
    return output;
  };
  return { child, written, ended };
};

/** The programs of a language, on an inbox of their own. */
export const givenShopPrograms = ({ command, sell, receive, work, feed, call }: Programs) => {
  const inbox = mkdtempSync(join(tmpdir(), 'inbox-'));
  mkdirSync(join(inbox, 'done'));
  inboxes.add(inbox);
  const start = (args: readonly string[], settings: Readonly<Record<string, string>>): Program => {
    const { folder, python } = givenMerchantProject();
    return startProgram(command === 'python3' ? python : command, args, settings, folder);
  };
  const startServer = async (args: readonly string[], settings: Readonly<Record<string, string>>) => {
    const { port } = new URL(await givenDeadAddress());
    const withPort = args.map((argument) => argument.replace('PORT', port));
    const program = start(withPort, { PORT: port, ...settings });
    await program.written(/http:\/\/127\.0\.0\.1:\d+/);
    return { program, baseUrl: `http://127.0.0.1:${port}` };
  };
  return {
    inbox,
    /** The events that wait for the worker. */
    waiting: (): string[] =>
      readdirSync(inbox)
        .filter((name) => name.endsWith('.json'))
        .toSorted(),
    /** Starts the shop's page. Returns the program and its address. */
    startSelling: async (settings: Readonly<Record<string, string>>) => {
      const { program, baseUrl } = await startServer(sell, { ORDERS: join(inbox, 'orders'), ...settings });
      return { ...program, baseUrl };
    },
    /** Starts the receiver, by default with the inbox of the shop. */
    startReceiver: async (secret: string, own = inbox) => {
      const { program, baseUrl } = await startServer(receive, { INBOX: own, WEBHOOK_SECRET: secret });
      return { program, url: `${baseUrl}/hook` };
    },
    /** Runs the calls of the guide on this stage, to their end. Returns what they print. */
    makeCalls: async (baseUrl: string): Promise<string> => {
      const { folder } = givenMerchantProject();
      const text = readFileSync(join(folder, call), 'utf8');
      const copy = call.replace('calls', `calls-${new URL(baseUrl).port}`);
      writeFileSync(join(folder, copy), text.replace('http://127.0.0.1:3000', baseUrl));
      const program = start([copy], {});
      await program.ended;
      return program.written(/^/);
    },
    startWorker: (): Program => start(work, { INBOX: inbox }),
    /** Runs the reader of the feed to its end. */
    readFeed: async (settings: Readonly<Record<string, string>>) => {
      const program = start(feed, { INBOX: inbox, ...settings });
      const exitCode = await program.ended;
      return { exitCode, output: await program.written(/^/) };
    },
  };
};
