import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Access,
  EVENT_FUNCTIONS,
  HTTP_FUNCTIONS,
  type HttpFunctionName,
} from '../../functions/operations.ts';
import { listen } from '../../infra/local/gateway/listen.ts';
import { PERMISSIONS } from '../../infra/stack/permissions.ts';
import { ENV_NAMES } from '../../lib/settings/env-names.ts';

const VALUES: Readonly<Record<string, string>> = {
  STAGE_NAME: 'test',
  API_KEYS_TABLE: 'api-keys',
  PRODUCTS_TABLE: 'products',
  CARTS_TABLE: 'carts',
  TEST_CARTS_TABLE: 'test-carts',
  SECRETS_TABLE: 'secrets',
  STORES_TABLE: 'stores',
  EVENTS_TABLE: 'events',
  WEBHOOK_ENDPOINTS_TABLE: 'webhook-endpoints',
  DELIVERIES_TABLE: 'deliveries',
  EVENT_BUS_NAME: 'events',
  PAYMENTS_QUEUE_URL: 'https://queue.invalid/payments',
  DELIVERY_QUEUE_URL: 'https://queue.invalid/deliveries',
  TEST_DELIVERY_QUEUE_URL: 'https://queue.invalid/test-deliveries',
  SLOW_DELIVERY_QUEUE_URL: 'https://queue.invalid/slow-deliveries',
  SLOW_TEST_DELIVERY_QUEUE_URL: 'https://queue.invalid/slow-test-deliveries',
  SET_ASIDE_QUEUE_URL: 'https://queue.invalid/set-aside',
  PUBLIC_URL: 'https://api.invalid',
  SOURCE_HASH_KEY: '0'.repeat(64),
  ERRORS_URL: 'https://api.invalid/errors',
  LIVE_CHECKOUT_URL: 'https://checkout.invalid',
  SANDBOX_CHECKOUT_URL: 'https://checkout.invalid',
  CART_EXPIRY_SECONDS: '86400',
  CART_RETENTION_SECONDS: '2592000',
  PERSONAL_DATA_DAYS: '730',
};

const variablesOf = (access: readonly Access[], settings: readonly (keyof typeof ENV_NAMES)[]): string[] => {
  const tables = access.flatMap((name) => PERMISSIONS[name].map(({ table }) => ENV_NAMES[`${table}Table`]));
  return [...new Set([ENV_NAMES.stageName, ...tables, ...settings.map((name) => ENV_NAMES[name])])];
};

/** The variables that the stack gives to each function. */
const NEEDED: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...HTTP_FUNCTIONS.map(({ name, access, settings }) => [name, variablesOf(access, settings)]),
  ...Object.entries(EVENT_FUNCTIONS).map(([name, { access, variables }]) => [
    name,
    variablesOf(access, variables),
  ]),
]);

/** Loads a function as a cold start does, with these variables of the service and no other. */
const load = (functionName: string, names: readonly string[]): Promise<unknown> => {
  for (const name of Object.keys(VALUES)) vi.stubEnv(name, names.includes(name) ? VALUES[name] : undefined);
  return import(`../../functions/${functionName}/handler.ts`);
};

beforeEach(() => {
  vi.resetModules();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

it('every folder of functions/ is a function of functions/operations.ts', () => {
  const entries = readdirSync(join(import.meta.dirname, '../../functions'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.toSorted()).toStrictEqual(Object.keys(NEEDED).toSorted());
});

describe.each(Object.entries(NEEDED))('the function %s', (functionName, variables) => {
  it('starts with the variables that it needs and no other', async () => {
    expect(await load(functionName, variables)).toHaveProperty('handler', expect.any(Function));
  });

  it.each(variables)('does not start without %s, and the error names it', async (missing) => {
    const others = variables.filter((name) => name !== missing);
    await expect(load(functionName, others)).rejects.toThrow(
      `The environment is not usable: ${missing} is missing.`,
    );
  });
});

/** The connections of each HTTP function's first request, and the calls of its warm-up. */
const WARM_UPS: Readonly<Record<HttpFunctionName, readonly [number, readonly string[]]>> = {
  // A stage without a secret gets one.
  'create-cart-checkout': [
    3,
    ['GetItem products', 'GetItem secrets', 'PutItem secrets', 'UpdateItem api-keys'],
  ],
  'get-cart': [2, ['GetItem test-carts', 'UpdateItem api-keys']],
  'expire-cart': [2, ['GetItem test-carts', 'UpdateItem api-keys']],
  'list-events': [1, ['UpdateItem api-keys']],
  'webhook-endpoints': [1, ['UpdateItem api-keys']],
  'sandbox-checkout': [1, ['GetItem test-carts']],
};

describe('on Lambda, an HTTP function', () => {
  const names = HTTP_FUNCTIONS.map(({ name }) => name);
  let server: Server;
  let endpoint: string;
  let calls: string[];
  let connections: number;
  let lines: string[];

  /** Loads a function during the init of Lambda, with a database that stores nothing. */
  const start = async (name: string, address = endpoint, { isLambda = true } = {}): Promise<unknown> => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', isLambda ? name : undefined);
    vi.stubEnv('AWS_REGION', 'local');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', address);
    return ((await load(name, NEEDED[name]!)) as { readonly ready: Promise<unknown> }).ready;
  };

  const messages = (): string[] => lines.map((line) => (JSON.parse(line) as { message: string }).message);

  beforeEach(async () => {
    calls = [];
    connections = 0;
    lines = [];
    server = createServer((request, response) => {
      void (async () => {
        const { TableName } = JSON.parse(await text(request)) as { readonly TableName: string };
        calls.push(`${String(request.headers['x-amz-target']).split('.')[1]} ${TableName}`);
        response.writeHead(200, { 'x-amzn-requestid': 'r1' }).end('{}');
      })();
    });
    server.on('connection', () => (connections += 1));
    endpoint = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
    // Init waits at most 500 ms. On a busy machine, its steps may take longer.
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(String(line));
      return true;
    });
  });

  afterEach(() => {
    vi.restoreAllMocks();
    server.closeAllConnections();
    server.close();
  });

  it.each(Object.entries(WARM_UPS))(
    '%s opens the connections of its first request, by permitted calls',
    async (name, [count, expected]) => {
      await start(name);
      // The 401 of the warm-up does not wait for a read.
      await expect.poll(() => [...new Set(calls)].toSorted()).toStrictEqual(expected);
      // One more if the second request starts before the first one's read ends. One call at a time needs no more.
      expect(count === 1 ? [1] : [count, count + 1]).toContain(connections);
      expect(lines).toStrictEqual([]);
      const accesses = HTTP_FUNCTIONS.find((each) => each.name === name)?.access ?? [];
      const permitted = accesses.flatMap((access) =>
        PERMISSIONS[access].map(({ table, action }) => `${action} ${VALUES[ENV_NAMES[`${table}Table`]]}`),
      );
      expect(permitted).toStrictEqual(expect.arrayContaining(calls));
    },
  );

  it.each(names)('%s starts although the database is away', async (name) => {
    await start(name, 'http://127.0.0.1:1');
    expect(messages()).toStrictEqual(['not warmed up']);
    expect(lines[0]).toContain('"code":"ECONNREFUSED"');
  });

  it.each(names)('%s opens no connection outside of Lambda', async (name) => {
    await start(name, endpoint, { isLambda: false });
    expect(connections).toBe(0);
  });

  it('starts although the database does not respond in time', async () => {
    server.removeAllListeners('request');
    vi.mocked(AbortSignal.timeout).mockReturnValueOnce(AbortSignal.abort());
    await start('get-cart');
    expect(messages()).toStrictEqual(['not warmed up']);
    expect(AbortSignal.timeout).toHaveBeenCalledWith(500);
  });
});

it('a process that loads every function writes nothing to standard error', async () => {
  const script = Object.keys(NEEDED).map((name) => `await import('./functions/${name}/handler.ts');`);
  const args = ['--input-type=module', '--eval', script.join('\n')];
  const { stderr } = await promisify(execFile)(process.execPath, args, {
    env: {
      ...VALUES,
      AWS_REGION: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
  });
  expect(stderr).toBe('');
});
