import { setImmediate } from 'node:timers/promises';
import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { tableNamesOf } from '../../../infra/local-access/local-names.ts';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { TableKind } from '../../../lib/database/tables.ts';
import { toEndpointItem } from '../../../lib/endpoints/endpoint-item.ts';
import { COUNTER_SEQUENCE } from '../../../lib/events/event-counter.ts';
import { toEventItem } from '../../../lib/events/event-item.ts';
import type { ApiResponse } from '../contract/contract.ts';
import { STORE_ID } from '../functions/dependencies.ts';
import { OPERATION_ROWS } from '../operations/all-rows.ts';
import type { MerchantOperationName, DatabaseCall } from '../operations/row-types.ts';
import { STORED } from '../operations/stored.ts';
import { type Respond, scriptDocuments } from './scripted-documents.ts';
import { composeService } from './service.ts';

/** An example of internal text. No response and no log line may contain it. */
export const INTERNAL_TEXT = 'arn:aws:dynamodb:eu-west-1:123456789012:table/not-for-clients';

const fault =
  (name: string, properties: object = {}) =>
  (): Error =>
    Object.assign(new Error(INTERNAL_TEXT), { name, ...properties });

const throttle = (name: string, ...reasons: readonly string[]) =>
  fault(name, {
    $fault: 'client',
    ...(reasons.length > 0 && {
      // As the SDK names it.
      [name === 'ThrottlingException' ? 'throttlingReasons' : 'ThrottlingReasons']: reasons.map((reason) => ({
        reason,
        resource: INTERNAL_TEXT,
      })),
    }),
  });

const HOT_KEY = 'TableWriteKeyRangeThroughputExceeded';

/** DynamoDB throttles one item: its key gets too many requests. */
export const ITEM_THROTTLES = {
  'hot item': throttle('ThrottlingException', HOT_KEY),
  'hot item, read': throttle('ProvisionedThroughputExceededException', 'TableReadKeyRangeThroughputExceeded'),
} as const;

/** DynamoDB throttles a table or an account, or states no reason. */
export const TABLE_THROTTLES = {
  'throttled table': throttle('ThrottlingException', 'TableWriteMaxOnDemandThroughputExceeded'),
  'throttled account': throttle('RequestLimitExceeded', 'TableWriteAccountLimitExceeded'),
  'provisioned table': throttle(
    'ProvisionedThroughputExceededException',
    'TableWriteProvisionedThroughputExceeded',
  ),
  'hot item in a throttled table': throttle('ThrottlingException', HOT_KEY, 'TableWriteAccountLimitExceeded'),
  'throttle without a reason': throttle('ThrottlingException'),
} as const;

export const THROTTLES = { ...ITEM_THROTTLES, ...TABLE_THROTTLES } as const;

/** DynamoDB is slow, broken or out of reach. */
export const OUTAGES = {
  timeout: fault('TimeoutError'),
  'connection reset': fault('Error', { code: 'ECONNRESET' }),
  'internal error': fault('InternalServerError', { $fault: 'server' }),
} as const;

const TABLE_NAMES = tableNamesOf('faulty');

const COMMANDS: Readonly<Record<DatabaseCall, readonly string[]>> = {
  key: ['UpdateItem'],
  read: ['Get', 'Query', 'BatchGet'],
  write: ['Put', 'Update', 'TransactWrite'],
};

type Item = Readonly<Record<string, unknown>>;

/** The items that reads of a table return. */
interface Found {
  /** By the key of a read. */
  readonly itemAt: (key: Item) => Item | undefined;
  /** By a query. A list then also makes the calls for its items. */
  readonly items: readonly Item[];
}

const nothing: Found = { itemAt: () => undefined, items: [] };
const always = (item: object): Found => ({ itemAt: () => ({ ...item }), items: [{ ...item }] });

const ENDPOINT = always(toEndpointItem(STORED.endpoint));
const EVENT = always(toEventItem(STORED.event));

/** The counter of a log. */
const COUNTER = { last: STORED.event.sequence, lastRecordedAtMs: STORED.event.recordedAtMs };

const FOUND: Readonly<Partial<Record<TableKind, Found>>> = {
  carts: nothing,
  stores: nothing,
  products: always(STORED.product),
  testCarts: always(STORED.cart),
  deliveries: always(STORED.delivery),
  webhookEndpoints: {
    ...ENDPOINT,
    itemAt: (key) => (key['id'] === STORED.endpoint.endpointId ? ENDPOINT.itemAt(key) : undefined),
  },
  events: {
    ...EVENT,
    itemAt: (key) => (key['sequence'] === COUNTER_SEQUENCE ? COUNTER : EVENT.itemAt(key)),
  },
};

/** The key of a read of a secret. */
interface SecretKey {
  readonly Key: { readonly id: string };
}

/**
 * The service on a scripted DynamoDB, for faults that the embedded one cannot produce. Without a script, every call
 * succeeds at once. Counts exclude the read of the idempotency secret, with which the service starts.
 *
 * @param readSecret scripts this read
 */
export const givenFaultyService = (
  readSecret: (input: SecretKey) => unknown = () => ({ Item: STORED.secret }),
) => {
  const { documents, calls, script } = scriptDocuments();
  script('Get', readSecret, TABLE_NAMES.secrets);
  const service = composeService({ documents, tableNames: TABLE_NAMES });
  calls.length = 0;
  const { clock } = service;

  const key = (input: UpdateItemCommandInput): StoredApiKey => ({
    keyId: String(input.Key?.['keyId']?.S),
    storeId: STORE_ID,
    mode: 'test',
    limit: 60,
    windowSeconds: 60,
    createdAtMs: 0,
    tatMicros: (clock.now() + 1_000) * 1_000,
    emissionIntervalMicros: 1_000_000,
  });
  script('UpdateItem', (input: UpdateItemCommandInput) => ({ Attributes: marshall(key(input)) }));
  for (const [kind, { itemAt, items }] of Object.entries(FOUND)) {
    const tableName = TABLE_NAMES[kind as TableKind];
    script('Get', ({ Key }: { Key: Item }) => ({ Item: itemAt(Key) }), tableName);
    script('Query', () => ({ Items: [...items] }), tableName);
  }
  script('BatchGet', ({ RequestItems }: { RequestItems: Item }) => ({
    Responses: Object.fromEntries(
      Object.keys(RequestItems).map((name) => [name, name === TABLE_NAMES.testCarts ? [STORED.cart] : []]),
    ),
  }));
  for (const command of COMMANDS.write) script(command, () => ({}));

  return {
    service,
    /** All calls so far. */
    calls,
    /** Scripts every later call of a command, of all tables or one. */
    script(command: string, respond: Respond, table?: TableKind): void {
      script(command, respond, table && TABLE_NAMES[table]);
    },

    /** Scripts every later call of a kind. */
    when(call: DatabaseCall, respond: Respond): void {
      for (const command of COMMANDS[call]) script(command, respond);
    },

    /** The number of calls of a kind so far. */
    count: (call: DatabaseCall): number =>
      calls.filter(({ command }) => COMMANDS[call].includes(command)).length,

    /** Sends the valid request of an operation, under a key of its own unless one is given. */
    send(name: MerchantOperationName, apiKey = generateApiKey('test')): Promise<ApiResponse> {
      return service.send(name, { ...OPERATION_ROWS[name].request, apiKey });
    },
  };
};

export type FaultyService = ReturnType<typeof givenFaultyService>;

/** Collects unhandled rejections, which end a Lambda environment. */
export const watchRejections = () => {
  const rejections: unknown[] = [];
  const collect = (reason: unknown): void => {
    rejections.push(reason);
  };
  process.on('unhandledRejection', collect);
  return {
    /** Stops watching after three more turns of the event loop; returns the rejections. */
    async stop(): Promise<readonly unknown[]> {
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
      process.off('unhandledRejection', collect);
      return rejections;
    },
  };
};
