import { setImmediate } from 'node:timers/promises';
import { GetCommand, PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import type { StoredApiKey } from '../../lib/api-keys/stored-api-key.ts';
import { newCart } from '../../lib/carts/cart.ts';
import { BUYER } from './secrets.ts';
import { type ApiResponse, cartBody, givenService, LIFETIME, STORE_ID } from './service.ts';

/** A text that stands for everything internal: no answer and no log line may hold it. */
export const INTERNAL_TEXT = 'arn:aws:dynamodb:eu-west-1:123456789012:table/not-for-clients';

const fault =
  (name: string, properties: object = {}) =>
  (): Error =>
    Object.assign(new Error(INTERNAL_TEXT), { name, ...properties });

/** DynamoDB refuses an item, a table or an account that is used too fast. */
export const THROTTLES = {
  'throttled item': fault('ProvisionedThroughputExceededException', { $fault: 'client' }),
  'throttled table': fault('ThrottlingException', { $fault: 'client' }),
  'throttled account': fault('RequestLimitExceeded', { $fault: 'client' }),
} as const;

/** DynamoDB is slow, broken or out of reach. */
export const OUTAGES = {
  timeout: fault('TimeoutError'),
  'connection reset': fault('Error', { code: 'ECONNRESET' }),
  'internal error': fault('InternalServerError', { $fault: 'server' }),
} as const;

/** What the database is asked for: the key with its token, the product or cart beside it, the new cart. */
export type DatabaseCall = 'key' | 'read' | 'put';

const CART_ID = '4d2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5';

/**
 * The service on a database that answers well, and at once, unless it is told otherwise: for faults that the embedded
 * DynamoDB cannot produce.
 */
export const givenFaultyService = async () => {
  const service = await givenService();
  const { clock, tableNames } = service;
  const mock = mockClient(service.documents);
  const nowMs = clock.now();

  const key = (input: UpdateCommandInput): StoredApiKey => ({
    keyId: String(input.Key?.['keyId']),
    storeId: STORE_ID,
    mode: 'test',
    limit: 60,
    windowSeconds: 60,
    createdAtMs: 0,
    tatMicros: (clock.now() + 1_000) * 1_000,
    emissionIntervalMicros: 1_000_000,
  });
  const product = {
    id: 'course',
    storeId: STORE_ID,
    name: 'Course',
    available: true,
    currency: 'EUR',
    pricing: { type: 'fixed', amount: 19.99 },
  };
  const cart = newCart(
    {
      id: CART_ID,
      storeId: STORE_ID,
      mode: 'test',
      customerInfo: { ...BUYER },
      productId: 'course',
      productName: 'Course',
      price: { amount: 19.99, currency: 'EUR' },
      meta: {},
      requestFingerprint: 'fingerprint',
      nowMs,
    },
    LIFETIME,
  );

  const commands = { key: UpdateCommand, read: GetCommand, put: PutCommand } as const;
  mock.on(UpdateCommand).callsFake((input: UpdateCommandInput) => ({ Attributes: key(input) }));
  mock.on(GetCommand, { TableName: tableNames.products }).resolves({ Item: product });
  mock.on(GetCommand, { TableName: tableNames.carts }).resolves({ Item: cart });
  mock.on(PutCommand).resolves({});

  return {
    service,
    mock,

    /** From now on, a call of that kind does so. */
    when(call: DatabaseCall, behave: (input: unknown) => unknown): void {
      mock.on(commands[call] as typeof GetCommand).callsFake(behave);
    },

    /** How often the database was asked for that. */
    count(call: DatabaseCall): number {
      return mock.commandCalls(commands[call] as typeof GetCommand).length;
    },

    /** The signals that the calls were given. */
    signals(): unknown[] {
      return mock.calls().map(({ args }) => {
        const [, options] = args as unknown as [unknown, { abortSignal?: unknown } | undefined];
        return options?.abortSignal;
      });
    },

    /** Both operations, each with a valid request under a key of its own. */
    operations: {
      createCart: (apiKey = generateApiKey('test')): Promise<ApiResponse> =>
        service.createCart(cartBody('course'), { apiKey }),
      getCart: (apiKey = generateApiKey('test')): Promise<ApiResponse> =>
        service.getCart(CART_ID, { apiKey }),
    },
  };
};

export type FaultyService = Awaited<ReturnType<typeof givenFaultyService>>;

/** Collects the rejections that nobody handles, which end a Lambda environment. */
export const watchRejections = () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => {
    rejections.push(reason);
  };
  process.on('unhandledRejection', note);
  return {
    /** Those seen until now and in the loop's next turns. */
    async stop(): Promise<readonly unknown[]> {
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
      process.off('unhandledRejection', note);
      return rejections;
    },
  };
};
