import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { deliverWebhooks } from '../../../functions/deliver-webhooks/handler.ts';
import { HTTP_FUNCTION_NAMES } from '../../../functions/function-needs.ts';
import { OPERATIONS, type OperationName } from '../../../functions/operations.ts';
import { recordPaymentMessages } from '../../../functions/record-payment/handler.ts';
import type * as RunTimers from '../../../functions/run-timers/handler.ts';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { UnavailableError } from '../../../lib/aws/errors.ts';
import { toCartItem } from '../../../lib/carts/cart-item.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { TABLE_KINDS } from '../../../lib/database/tables.ts';
import { testMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import { createPaymentRepositories } from '../../../lib/payments/payment-repositories.ts';
import { NOW_MS } from '../../support/clock.ts';
import type { LogLine } from '../../support/cloudwatch/stored-metrics.ts';
import { givenDatabase, type TestDatabase } from '../../support/database/database.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { newEndpoint, storeEndpoint } from '../../support/domain/endpoints.ts';
import { paymentBatchOf, eventAbout, NO_RETURNS } from '../../support/domain/payment-events.ts';
import { paymentTablesOf } from '../../support/domain/payment-tables.ts';
import { CREATED_AT_MS, waitingCart } from '../../support/domain/payments.ts';
import { batchOf, recordOf, processOn } from '../../support/functions/delivery.ts';
import { loadAnew } from '../../support/functions/fresh-handler.ts';
import { invoke } from '../../support/functions/invoke.ts';
import { stubSettings } from '../../support/functions/stub-settings.ts';
import { TEST_SETTINGS } from '../../support/functions/test-settings.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { STORED } from '../../support/operations/stored.ts';
import { givenFaultyService, ITEM_THROTTLES } from '../../support/service/faulty-service.ts';
import { composeService } from '../../support/service/service.ts';

/** The version of the functions whose requests fail. */
export const VERSION = '7';

/** The first operation of each function, and the payment side's read. */
const FAILING: readonly OperationName[] = [
  ...HTTP_FUNCTION_NAMES.map((name) =>
    (Object.keys(OPERATIONS) as OperationName[]).find((each) => OPERATIONS[each].functionName === name)!,
  ),
  'getPaymentCart',
];

/** A request of live mode to a service whose database fails, or throttles the item of the key. */
const failedRequest = (operation: OperationName, error: () => Error): Promise<readonly LogLine[]> => {
  const { service, when } = givenFaultyService();
  for (const call of ['key', 'read', 'write'] as const) when(call, () => Promise.reject(error()));
  const request = {
    pathParameters: { cartId: STORED.cart.id },
    headers: { Authorization: `Bearer ${generateApiKey('live')}` },
  };
  const handler = service.handlerOf(OPERATIONS[operation].functionName);
  return logged(() => invoke(handler, operation, request, service.clock.now));
};

/** The requests of a merchant. */
const requestLines = async (database: TestDatabase) => {
  const service = composeService(database);
  const apiKey = await service.givenKey({ mode: 'live' });
  const productId = await service.givenProduct();
  let cartId = '';
  return {
    created: await logged(async () => {
      const { body } = await service.createCart(cartBody(productId), { apiKey });
      cartId = (body as { cart: { id: string } }).cart.id;
    }),
    retrieved: await logged(() => service.getCart(cartId, { apiKey })),
    readByPaymentSide: await logged(() => service.getPaymentCart(cartId)),
    rejected: await logged(() => service.createCart('{}', { apiKey })),
    rejectedInTestMode: await logged(async () =>
      service.createCart('{}', { apiKey: await service.givenKey() }),
    ),
    throttled: await failedRequest('getCart', ITEM_THROTTLES['hot item']),
  };
};

const down = (): Error => new UnavailableError('down');

/** A 5xx of each function, by its name in the log. */
const failedLines = async (): Promise<Readonly<Record<string, readonly LogLine[]>>> => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', VERSION);
  const lines: Record<string, readonly LogLine[]> = {};
  for (const operation of FAILING) {
    const failed = await failedRequest(operation, down);
    lines[String(failed[0]?.['operation'])] = failed;
  }
  vi.unstubAllEnvs();
  return lines;
};

/** The payments and refunds of live carts. */
const paymentLines = async ({ documents, tableNames }: TestDatabase) => {
  const now = () => CREATED_AT_MS + 3_600_000;
  const repositories = createPaymentRepositories(documents, paymentTablesOf(tableNames), { now });
  const { cart } = await repositories.live.carts.create(waitingCart());
  const paymentId = randomUUID();
  const receive = (detail: object, type = 'payment.succeeded', given = repositories, waitedMs = 0) =>
    logged(() =>
      recordPaymentMessages({ repositories: given, now, returnMessages: NO_RETURNS })(
        paymentBatchOf([eventAbout(cart.id, { paymentId, ...detail }, type)], 1, now() - waitedMs),
      ),
    );
  const refund = { eventId: undefined, refundId: randomUUID() };
  const failing = {
    ...repositories.live,
    carts: { ...repositories.live.carts, find: () => Promise.reject(down()) },
  };
  return {
    completed: await receive({}),
    duplicate: await receive({ paymentId: randomUUID() }),
    mismatched: await receive({ paymentId: randomUUID(), amount: 1 }),
    excess: await receive({ ...refund, amount: 40 }, 'payment.refunded'),
    early: await receive(
      { ...refund, refundId: randomUUID(), paymentId: randomUUID() },
      'payment.refunded',
      repositories,
      DAY_MS,
    ),
    paymentInterrupted: await receive({}, undefined, { live: failing, test: failing }),
  };
};

/** The deliveries to live endpoints. */
const deliveryLines = async (database: TestDatabase) => {
  const deliver = async (
    status: number,
    waitedMs = 0,
    changes: Partial<ReturnType<typeof processOn>> = {},
  ): Promise<readonly LogLine[]> => {
    const endpoint = newEndpoint({ mode: 'live' });
    await storeEndpoint(database, endpoint);
    const handler = deliverWebhooks({
      ...processOn(database),
      send: async () => ({ status, ms: 5 }),
      ...changes,
      findQueue: () => ({ queueUrl: '', mode: 'live', lane: 'slow' }),
      returnMessages: async () => undefined,
    });
    const record = recordOf(testMessageOf(endpoint, NOW_MS), 1, waitedMs);
    return logged(() => handler(batchOf([record]), { getRemainingTimeInMillis: () => 30_000 }));
  };
  const leases = { ...processOn(database).leases, take: () => Promise.reject(down()) };
  return {
    delivered: await deliver(204),
    undelivered: await deliver(500),
    gone: await deliver(410),
    late: await deliver(204, 700_000),
    somewhatLate: await deliver(204, 200_000),
    deliveryInterrupted: await deliver(204, 0, { leases }),
  };
};

/** The run of a minute that finds a cart whose expiry was due 20 minutes ago, and one whose erasure was due two days ago. */
const dueLines = async ({ documents, tableNames, endpoint }: TestDatabase) => {
  const personalDataDays = Number(TEST_SETTINGS.personalDataDays);
  stubSettings(tableNames);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'local');
  const { handler } = await loadAnew<typeof RunTimers>('run-timers');
  const run = async (cart: ReturnType<typeof waitingCart>, changes = {}): Promise<readonly LogLine[]> => {
    const Item = { ...toCartItem(cart), ...changes };
    await documents.send(new PutCommand({ TableName: tableNames.carts, Item }));
    return logged(() => handler({}, { getRemainingTimeInMillis: () => 55_000 }));
  };
  const lines = {
    timerLate: await run(waitingCart({ expiresAtMs: Date.now() - 1_200_000, deleteAtSeconds: undefined })),
    // A later release stored it.
    timerFailed: await run(waitingCart({ expiresAtMs: Date.now() - 1_000, deleteAtSeconds: undefined }), {
      schemaVersion: 1_000,
    }),
    erasedLate: await run(
      waitingCart({
        status: 'completed',
        completedAtMs: Date.now() - (personalDataDays + 2) * DAY_MS,
        deleteAtSeconds: undefined,
      }),
    ),
  };
  vi.unstubAllEnvs();
  return lines;
};

/** The log lines that the functions write, each of one invocation: the sources of the service's own metrics. */
export const functionLines = async () => {
  const database = await givenDatabase(TABLE_KINDS);
  return {
    ...(await requestLines(database)),
    ...(await paymentLines(database)),
    ...(await deliveryLines(database)),
    failed: await failedLines(),
    // Last: it loads modules anew.
    ...(await dueLines(database)),
  };
};

export type FunctionLines = Awaited<ReturnType<typeof functionLines>>;
