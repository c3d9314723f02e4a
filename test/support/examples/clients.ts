import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import type { Options } from 'cart-checkout-client';
import { givenMerchantProject } from '../programs/merchant-project.ts';
import { isTested } from '../programs/tested-languages.ts';

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
interface Language {
  readonly language: string;
  readonly perform: (call: ClientCall) => Promise<ClientOutcome>;
}

const errorOf = (error: unknown): Readonly<Record<string, unknown>> => {
  const { name, message } = error as Error;
  // The properties that the class of the client adds.
  return { ...Object.fromEntries(Object.entries(error as object)), name, message };
};

const collect = async (value: unknown): Promise<unknown> => {
  if (!(value instanceof Object && Symbol.asyncIterator in value)) return value;
  const collected: unknown[] = [];
  for await (const each of value as AsyncIterable<unknown>) collected.push(each);
  return collected;
};

const SPECIAL: Readonly<Record<string, unknown>> = {
  nan: NaN,
  infinity: Infinity,
  map: new Map([['a', 'b']]),
};

/** Puts the values in place that JSON does not have. The other drivers do the same. */
const revive = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(revive);
  const name = (value as { $special?: string }).$special;
  if (name !== undefined) return SPECIAL[name];
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revive(each)]));
};

/** A transport of the test. `failing`: no response arrives. */
const ownTransport =
  (kind: unknown): Options['fetch'] =>
  async (url, { method, headers }) => {
    if (kind === 'failing') throw new Error('The test has no response');
    const body = JSON.stringify({ id: '1', method, url, agent: headers['User-Agent'] });
    return { status: 200, headers: new Headers(), text: async () => body };
  };

/** Calls the client for Node.js in this process. */
const performHere = async (call: ClientCall): Promise<ClientOutcome> => {
  const { client, method, args, options } = revive(call) as ClientCall;
  const pauses: number[] = [];
  const sleep = async (seconds: number): Promise<void> => {
    pauses.push(seconds);
  };
  const now = (): number => pauses.reduce((sum, seconds) => sum + seconds, 0);
  type Methods = Record<string, (...given: readonly unknown[]) => unknown>;
  const { CartCheckout } = await givenMerchantProject().importClient();
  try {
    const { transport, ...own } = client ?? {};
    const fetch = transport === undefined ? undefined : ownTransport(transport);
    const made =
      client && new CartCheckout({ ...(own as unknown as Options), fetch, random: () => 1, sleep, now });
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

const DRIVERS = 'test/support/examples/drivers';

/** Calls a client in a process of its own, which starts with the first call. */
const performIn = (language: 'python' | 'php'): Language['perform'] => {
  const start = () => {
    const { python, autoload } = givenMerchantProject();
    const env = { PATH: process.env['PATH'], AUTOLOAD: autoload, PYTHONDONTWRITEBYTECODE: '1' };
    // The separator of queries is a setting of PHP. The clients must not depend on it.
    const [command, ...rest] =
      language === 'python'
        ? [python, `${DRIVERS}/driver.py`]
        : ['php', '-d', 'arg_separator.output=;', `${DRIVERS}/driver.php`];
    const child = spawn(command, rest, { env, stdio: ['pipe', 'pipe', 'inherit'] });
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

const createLanguages = (): readonly (Language & { readonly command: string })[] => [
  { language: 'Node.js', command: process.execPath, perform: performHere },
  { language: 'Python', command: 'python3', perform: performIn('python') },
  { language: 'PHP', command: 'php', perform: performIn('php') },
];

/** The clients that this run tests. */
export const testedClients = (): readonly Language[] =>
  createLanguages().filter(({ language, command }) => isTested(language, command));

/** Calls a method of a client with these options. Returns the outcome. */
export const callerOf =
  ({ perform }: Language, client: Readonly<Record<string, unknown>>) =>
  (
    method: string,
    args: readonly unknown[] = [],
    options: Readonly<Record<string, unknown>> = {},
  ): Promise<ClientOutcome> =>
    perform({ client, method, args, options });
