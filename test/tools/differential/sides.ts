import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import { createTransport } from '../../../lib/aws/transport.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { UnthrottledRetries } from '../../../lib/unthrottled-retries.ts';
import type { Scope } from './calls/call.ts';
import type { Documents, Side } from './observe.ts';
import { startWireTap, type WireTap } from './wire-tap.ts';

export type SideName = 'sdk' | 'lean';

/** The credentials of a sequence of calls. */
export const CREDENTIALS = {
  'access key': { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
  'session token': { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 's', sessionToken: 'a/session+token==' },
} as const satisfies Record<string, { accessKeyId: string; secretAccessKey: string; sessionToken?: string }>;

export type CredentialsName = keyof typeof CREDENTIALS;

const REGION = 'eu-west-1';

interface Config extends ReturnType<typeof configOf> {
  readonly endpoint: string;
}

export const configOf = (credentials: CredentialsName) => ({
  region: REGION,
  credentials: CREDENTIALS[credentials],
});

interface Client {
  readonly documents: Documents;
  destroy(): void;
}

/**
 * The time for one attempt, in place of the 2 s of production. The SDK's limit ends with the headers of a response, the lean
 * client's with the body. With 2 s, a slow machine makes only one of them retry. No fault lasts: this limit never ends a call.
 */
const ATTEMPT_TIMEOUT_MS = 60_000;

/** The SDK's document client as it comes, with this project's retries and without undefined fields. */
const createSdkClient = (config: Config): Client => {
  const client = new DynamoDBClient({
    ...config,
    retryStrategy: new UnthrottledRetries(2),
    requestHandler: { requestTimeout: ATTEMPT_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return { documents, destroy: () => client.destroy() };
};

const createLeanClient = (config: Config): Client => {
  const documents = createDocumentClient({ ...config, transport: createTransport(ATTEMPT_TIMEOUT_MS) });
  return { documents, destroy: () => documents.destroy() };
};

const CLIENTS = { sdk: createSdkClient, lean: createLeanClient };

export type Pair = Readonly<Record<SideName, Side>>;

/** Both clients before one database, each with tables and a tap of its own. */
export interface Sides {
  /** The clients of all sequences without faults. */
  readonly lasting: Readonly<Record<CredentialsName, Pair>>;
  /** Creates both clients anew, with no connection and with all their retries. */
  open(credentials: CredentialsName): Pair & { close(): Promise<void> };
  /** The tables, and the keys of a sequence of calls. */
  scopeOf(name: SideName, sequence: number): Scope;
  close(): Promise<void>;
}

const createTables = async (endpoint: string, prefix: string): Promise<void> => {
  const client = new DynamoDBClient(localClientConfig(endpoint));
  const pk = { AttributeName: 'pk', AttributeType: 'S' as const };
  const sk = { AttributeName: 'sk', AttributeType: 'N' as const };
  const create = (name: string, ...attributes: readonly (typeof pk | typeof sk)[]) =>
    client.send(
      new CreateTableCommand({
        TableName: `${prefix}-${name}`,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [...attributes],
        KeySchema: attributes.map(({ AttributeName }, index) => ({
          AttributeName,
          KeyType: index === 0 ? 'HASH' : 'RANGE',
        })),
      }),
    );
  await create('one', pk);
  await create('two', pk, sk);
  await create('few', pk);
  client.destroy();
};

/** Creates the tables of both sides, and starts their taps. */
export const startSides = async (database: string): Promise<Sides> => {
  const run = randomBytes(4).toString('hex');
  const prefixes = { sdk: `d${run}-s`, lean: `d${run}-l` };
  await createTables(database, prefixes.sdk);
  await createTables(database, prefixes.lean);
  const url = new URL(database);
  const taps = { sdk: await startWireTap(url), lean: await startWireTap(url) };

  const openSide = (name: SideName, tap: WireTap, credentials: CredentialsName) => {
    const client = CLIENTS[name]({ endpoint: `http://127.0.0.1:${tap.port}`, ...configOf(credentials) });
    return { documents: client.documents, tap, prefix: prefixes[name], destroy: () => client.destroy() };
  };
  const open = (credentials: CredentialsName) => {
    const sdk = openSide('sdk', taps.sdk, credentials);
    const lean = openSide('lean', taps.lean, credentials);
    const close = async (): Promise<void> => {
      sdk.destroy();
      lean.destroy();
      // The tap first sees the end of a connection.
      await setImmediate();
    };
    return { sdk, lean, close };
  };
  const lasting = { 'access key': open('access key'), 'session token': open('session token') };
  return {
    lasting,
    open,
    scopeOf: (name, sequence) => {
      const prefix = prefixes[name];
      return {
        one: `${prefix}-one`,
        two: `${prefix}-two`,
        few: `${prefix}-few`,
        key: (id) => `${sequence}-${id}`,
        token: (id) => `${prefix}-${sequence}-${id}`,
      };
    },
    close: async () => {
      await Promise.all(Object.values(lasting).map((pair) => pair.close()));
      await Promise.all([taps.sdk.close(), taps.lean.close()]);
    },
  };
};
