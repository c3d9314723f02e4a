import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FunctionName, FUNCTIONS, HTTP_FUNCTION_NAMES } from '../../functions/function-needs.ts';
import type { HttpFunctionName } from '../../functions/operations.ts';
import { listen } from '../../infra/local/gateway/listen.ts';
import { PERMISSIONS } from '../../infra/stack/database/permissions.ts';
import { TABLES } from '../../infra/stage/tables.ts';
import { type RequiredSetting, type Setting, variableOf, variablesOf } from '../../lib/settings/settings.ts';
import { loadAnew } from '../support/functions/fresh-handler.ts';
import { TEST_SETTINGS } from '../support/functions/test-settings.ts';
import { FUNCTION_ROWS } from '../support/operations/all-rows.ts';

/** The settings that the stack gives to each function, and that the function cannot do without. */
const neededBy = (name: FunctionName): readonly RequiredSetting[] => {
  const { access, settings } = FUNCTIONS[name];
  const tables = access.flatMap((each) => PERMISSIONS[each].map(({ table }) => `${table}Table` as const));
  const needed = settings.filter((setting): setting is RequiredSetting => setting in TEST_SETTINGS);
  return [...new Set([...needed, ...tables])];
};

const NAMES = Object.keys(FUNCTIONS) as FunctionName[];

/** What Lambda sets, with a database that is away. */
const AWS = {
  AWS_REGION: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

/** Loads a function as a cold start does, with these settings and no other. */
const load = <Module>(functionName: FunctionName, names: readonly Setting[]): Promise<Module> => {
  for (const [name, value] of Object.entries(TEST_SETTINGS)) {
    const setting = name as RequiredSetting;
    vi.stubEnv(variableOf(setting), names.includes(setting) ? value : undefined);
  }
  return loadAnew<Module>(functionName);
};

afterEach(() => {
  vi.unstubAllEnvs();
});

it('every folder of functions/ is a function of functions/function-needs.ts', () => {
  const entries = readdirSync(join(import.meta.dirname, '../../functions'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.toSorted()).toStrictEqual(NAMES.toSorted());
});

describe.each(NAMES)('the function %s', (functionName) => {
  const settings = neededBy(functionName);

  it('starts with the settings that it needs and no other', async () => {
    expect(await load(functionName, settings)).toHaveProperty('handler', expect.any(Function));
  });

  it('does not start without them, and one error names them all', async () => {
    const error = await load(functionName, []).catch(({ message }: Error) => message);
    const [, issues = ''] = String(error).match(/^The environment is not usable: (.*)\.$/) ?? [];
    const expected = settings.map((name) => `${variableOf(name)} is missing`);
    expect(issues.split(', ').toSorted()).toStrictEqual(expected.toSorted());
  });
});

describe('on Lambda, an HTTP function', () => {
  let server: Server;
  let endpoint: string;
  let calls: string[];
  let connections: number;
  let lines: string[];

  /** Loads a function during the init of Lambda, with a database that stores nothing. */
  const start = async (
    name: HttpFunctionName,
    address = endpoint,
    { isLambda = true } = {},
  ): Promise<unknown> => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', isLambda ? name : undefined);
    for (const [variable, value] of Object.entries(AWS)) vi.stubEnv(variable, value);
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', address);
    return (await load<{ readonly ready: Promise<unknown> }>(name, neededBy(name))).ready;
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

  it.each(HTTP_FUNCTION_NAMES)(
    '%s opens the connections of its first request, by permitted calls',
    async (name) => {
      const { connections: count, calls: expected } = FUNCTION_ROWS[name].warmUp;
      await start(name);
      expect([...new Set(calls)].toSorted()).toStrictEqual(expected);
      expect(connections).toBe(count);
      expect(lines).toStrictEqual([]);
      const permitted = FUNCTIONS[name].access.flatMap((access) =>
        PERMISSIONS[access].map(({ table, action }) => `${action} ${TABLES[table].name}`),
      );
      expect(permitted).toStrictEqual(expect.arrayContaining(calls));
    },
  );

  it.each(HTTP_FUNCTION_NAMES)('%s starts although the database is away', async (name) => {
    await start(name, 'http://127.0.0.1:1');
    expect(messages()).toStrictEqual(['not warmed up']);
    expect(lines[0]).toContain('"code":"ECONNREFUSED"');
  });

  it.each(HTTP_FUNCTION_NAMES)('%s opens no connection outside of Lambda', async (name) => {
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

it('a process that loads every function, with its settings alone, writes nothing to standard error', async () => {
  const script = NAMES.map((name) => {
    const needed = neededBy(name).map((setting) => [setting, TEST_SETTINGS[setting]]);
    const env = { ...AWS, ...variablesOf(Object.fromEntries(needed)) };
    return `process.env = ${JSON.stringify(env)}; await import('./functions/${name}/handler.ts');`;
  });
  const args = ['--input-type=module', '--eval', script.join('\n')];
  const { NODE_COMPILE_CACHE } = process.env;
  const { stderr } = await promisify(execFile)(process.execPath, args, { env: { NODE_COMPILE_CACHE } });
  expect(stderr).toBe('');
});
