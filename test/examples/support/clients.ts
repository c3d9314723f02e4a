import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { CartCheckout, CartCheckoutError } from '../../../docs/clients/cart-checkout.mjs';
import type { Options } from '../../../docs/clients/cart-checkout.mjs';

/** A call of a client's method. The clients have the same methods and options, each in the spelling of its language. */
export interface ClientCall {
  /** The options of the client. Without them, the method is static. */
  readonly client?: Readonly<Record<string, unknown>>;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
}

export interface ClientOutcome {
  readonly value?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
  /** The pauses of the call, in seconds. They take no time. The random part of each is the longest possible. */
  readonly pauses: readonly number[];
}

/** A client of a language. */
export interface Language {
  readonly language: string;
  readonly file: string;
  readonly perform: (call: ClientCall) => Promise<ClientOutcome>;
}

const errorOf = (error: unknown): Readonly<Record<string, unknown>> => {
  const { name, message } = error as Error;
  if (!(error instanceof CartCheckoutError)) return { name, message };
  const { code, status, details, requestId, retryAfterSeconds, retryable } = error;
  return { name, message, code, status, details, requestId, retryAfterSeconds, retryable };
};

const collect = async (value: unknown): Promise<unknown> => {
  if (!(value instanceof Object && Symbol.asyncIterator in value)) return value;
  const collected: unknown[] = [];
  for await (const each of value as AsyncIterable<unknown>) collected.push(each);
  return collected;
};

/** Calls the client for Node.js in this process. */
const performHere = async ({ client, method, args, options }: ClientCall): Promise<ClientOutcome> => {
  const pauses: number[] = [];
  const sleep = async (seconds: number): Promise<void> => {
    pauses.push(seconds);
  };
  const now = (): number => pauses.reduce((sum, seconds) => sum + seconds, 0);
  type Methods = Record<string, (...given: readonly unknown[]) => unknown>;
  try {
    const made =
      client && new CartCheckout({ ...(client as unknown as Options), random: () => 1, sleep, now });
    if (method === 'dump') {
      const value = [
        inspect(made, { showHidden: true, depth: 9 }),
        JSON.stringify(made),
        String(made),
      ].join();
      return { value, pauses };
    }
    const owner = (made ?? CartCheckout) as unknown as Methods;
    return { value: await collect(await owner[method]?.(...args, options)), pauses };
  } catch (error) {
    return { error: errorOf(error), pauses };
  }
};

const started = new Set<ChildProcess>();

/** Ends the processes of the clients; for `afterAll`. */
export const stopClients = (): void => {
  for (const child of started) child.kill('SIGKILL');
};

/** Calls a client in a process of its own, which starts with the first call. */
const performIn = (command: string, driver: string): Language['perform'] => {
  const start = () => {
    const env = { PATH: process.env['PATH'], PYTHONPATH: 'docs/clients', PYTHONDONTWRITEBYTECODE: '1' };
    const child = spawn(command, [driver], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    started.add(child);
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  };
  let running: ReturnType<typeof start> | undefined;
  return async (call) => {
    running ??= start();
    running.child.stdin.write(`${JSON.stringify(call)}\n`);
    const { value } = await running.lines.next();
    return JSON.parse(value ?? '{}') as ClientOutcome;
  };
};

const DRIVERS = 'test/examples/support/drivers';

const createLanguages = (): readonly (Language & { readonly command: string })[] => [
  {
    language: 'Node.js',
    command: process.execPath,
    file: 'docs/clients/cart-checkout.mjs',
    perform: performHere,
  },
  {
    language: 'Python',
    command: 'python3',
    file: 'docs/clients/cart_checkout.py',
    perform: performIn('python3', `${DRIVERS}/driver.py`),
  },
  {
    language: 'PHP',
    command: 'php',
    file: 'docs/clients/CartCheckout.php',
    perform: performIn('php', `${DRIVERS}/driver.php`),
  },
];

/** The clients that this machine can run. Warns about each other one. */
export const findRunnableClients = (): readonly Language[] =>
  createLanguages().filter(({ language, command }) => {
    const isInstalled = spawnSync(command, ['--version']).status === 0;
    if (!isInstalled)
      console.warn(`THE CLIENT FOR ${language} IS NOT TESTED: this machine has no ${command}`);
    return isInstalled;
  });

/** Calls a method of a client with these options. Returns the outcome. */
export const callerOf =
  ({ perform }: Language, client: Readonly<Record<string, unknown>>) =>
  (
    method: string,
    args: readonly unknown[] = [],
    options: Readonly<Record<string, unknown>> = {},
  ): Promise<ClientOutcome> =>
    perform({ client, method, args, options });
