import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { localClientConfig } from '../../../infra/local-access/local-names.ts';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { TABLE_KINDS } from '../../../lib/database/tables.ts';
import { givenDatabase, type TestDatabase } from '../../support/database/database.ts';
import { BundleStack } from '../../support/stack/bundle-stack.ts';

/** Prints the status after the log lines. */
const INVOKE = `
  const [file, event] = process.argv.slice(1);
  const context = { getRemainingTimeInMillis: () => 6_000 };
  const { handler } = await import(file);
  const { statusCode } = await handler(JSON.parse(event), context);
  process.stdout.write(String(statusCode), () => process.exit());
`;

let outdir: string;
let file: string;
let bundle: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await givenDatabase(TABLE_KINDS);
  outdir = mkdtempSync(join(tmpdir(), 'cart-checkout-$HOME"`exit 1`-'));
  const stack = new BundleStack(outdir);
  const getCart = stack.addFunction('get-cart');
  ({ file, bundle } = stack.write()(getCart));
});

afterAll(() => rmSync(outdir, { recursive: true }));

interface Retrieval {
  readonly status: number;
  /** The log line of the request. */
  readonly line: Record<string, unknown>;
}

/** Invokes a bundle in a process of its own with a request for a cart. By default, the key is unknown to the database. */
const retrieveCart = async (
  environment: Readonly<Record<string, string>>,
  { endpoint, tableNames }: TestDatabase,
  apiKey = generateApiKey('test'),
): Promise<Retrieval> => {
  const { method: httpMethod, path: resource } = OPERATIONS.getCart;
  const event = {
    httpMethod,
    resource,
    headers: { Authorization: `Bearer ${apiKey}` },
    pathParameters: { cartId: 'unknown' },
    requestContext: { requestId: 'r1', requestTimeEpoch: Date.now(), identity: { sourceIp: '203.0.113.7' } },
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', INVOKE, file, JSON.stringify(event)],
    {
      env: {
        AWS_REGION: 'local',
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        STAGE_NAME: 'test',
        SOURCE_HASH_KEY: '0'.repeat(64),
        ERRORS_URL: 'https://api.invalid/errors',
        API_KEYS_TABLE: tableNames.apiKeys,
        CARTS_TABLE: tableNames.carts,
        TEST_CARTS_TABLE: tableNames.testCarts,
        STORES_TABLE: tableNames.stores,
        LIVE_CHECKOUT_URL: 'https://checkout.invalid',
        SANDBOX_CHECKOUT_URL: 'https://checkout.invalid',
        ...environment,
      },
    },
  );
  const lines = stdout.split('\n');
  return {
    status: Number(lines.at(-1)),
    line: JSON.parse(lines.at(-2) ?? '{}') as Record<string, unknown>,
  };
};

describe('a bundled function', () => {
  const { accessKeyId, secretAccessKey } = localClientConfig('').credentials;
  const credentials = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };

  it('calls the database with the credentials of its environment, as Lambda sets them', async () => {
    const retrieved = await retrieveCart({ ...credentials, AWS_SESSION_TOKEN: 'session' }, database);
    expect(retrieved.status).toBe(401);
  });

  it('logs the stack of a failure with the file names of its sources', async () => {
    const apiKey = generateApiKey('test');
    const malformed = { keyId: apiKeyId(apiKey), tatMicros: 0, emissionIntervalMicros: 1 };
    const { apiKeys } = database.tableNames;
    await database.documents.send(new PutCommand({ TableName: apiKeys, Item: malformed }));
    const { status, line } = await retrieveCart(credentials, database, apiKey);
    expect(status).toBe(500);
    const { frames } = line['cause'] as { frames: string[] };
    expect(frames[0]).toMatch(/lib\/api-keys\/stored-api-key\.ts:\d+:\d+/);
    expect(frames.join()).not.toContain(bundle);
  });

  it('reads credentials from no other place, such as a container endpoint', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end(JSON.stringify({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey }));
    });
    const port = await listen(server, '127.0.0.1', 0);
    const elsewhere = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}` };
    const { status } = await retrieveCart(elsewhere, database);
    server.close();
    expect({ status, requests }).toStrictEqual({ status: 500, requests: 0 });
  });
});
