import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localClientConfig } from '../../infra/local/local-database.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { BundleStack } from '../support/bundle-stack.ts';
import { givenDatabase } from '../support/database.ts';

/** Prints the status after the log lines. */
const INVOKE = `
  const [file, event] = process.argv.slice(1);
  const context = { getRemainingTimeInMillis: () => 6_000 };
  require(file)
    .handler(JSON.parse(event), context)
    .then(({ statusCode }) => process.stdout.write(String(statusCode), () => process.exit()));
`;

let outdir: string;
let file: string;

beforeAll(() => {
  outdir = mkdtempSync(join(tmpdir(), 'cart-checkout-bundling-'));
  const stack = new BundleStack(outdir);
  const getCart = stack.addFunction('get-cart');
  ({ file } = stack.write()(getCart));
});

afterAll(() => rmSync(outdir, { recursive: true }));

/** Asks a bundle, in a process of its own, for a cart with a key that only the database can tell is unknown. */
const retrieveCart = async (environment: Readonly<Record<string, string>>): Promise<number> => {
  const { endpoint, tableNames } = await givenDatabase();
  const event = {
    headers: { Authorization: `Bearer ${generateApiKey('test')}` },
    pathParameters: { cartId: 'unknown' },
    requestContext: { requestId: 'r1' },
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['-e', INVOKE, file, JSON.stringify(event)],
    {
      env: {
        AWS_REGION: 'local',
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        STAGE_NAME: 'test',
        API_KEYS_TABLE: tableNames.apiKeys,
        CARTS_TABLE: tableNames.carts,
        ...environment,
      },
    },
  );
  return Number(stdout.split('\n').at(-1));
};

describe('a bundled function', () => {
  const { accessKeyId, secretAccessKey } = localClientConfig('').credentials;
  const credentials = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };

  it('asks the database with the credentials of its environment, as Lambda sets them', async () => {
    expect(await retrieveCart({ ...credentials, AWS_SESSION_TOKEN: 'session' })).toBe(401);
  });

  it('looks for credentials nowhere else: not where a container gets them', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end(JSON.stringify({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const status = await retrieveCart({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}` });
    server.close();
    expect({ status, asked }).toStrictEqual({ status: 500, asked: 0 });
  });
});
