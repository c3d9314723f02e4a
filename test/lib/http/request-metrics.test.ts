import { afterEach, expect, it, vi } from 'vitest';
import { HTTP_FUNCTION_NAMES } from '../../../functions/function-needs.ts';
import { logNameOfFunction, OPERATIONS, type OperationName } from '../../../functions/operations.ts';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { ContentionError } from '../../../lib/aws/errors.ts';
import { CANARY_STORE_ID } from '../../../lib/canary/canary-store.ts';
import { invoke } from '../../support/functions/invoke.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { STORED } from '../../support/operations/stored.ts';
import {
  type FaultyService,
  givenFaultyService,
  ITEM_THROTTLES,
  TABLE_THROTTLES,
} from '../../support/service/faulty-service.ts';
import { givenService } from '../../support/service/service.ts';

afterEach(() => vi.unstubAllEnvs());

/** The line of a request to an operation. */
const lineOf = async ({ service }: FaultyService, operation: OperationName) => {
  const request = {
    pathParameters: { cartId: STORED.cart.id },
    headers: { Authorization: `Bearer ${generateApiKey('test')}` },
  };
  const [line] = await logged(() =>
    invoke(service.handlerOf(OPERATIONS[operation].functionName), operation, request, service.clock.now),
  );
  return line!;
};

const failing = (newError = (): Error => new Error('down')): FaultyService => {
  const faulty = givenFaultyService();
  for (const call of ['key', 'read'] as const) faulty.when(call, () => Promise.reject(newError()));
  return faulty;
};

/** The metrics of a line, each with its dimensions. */
const metricsOf = (line: Record<string, unknown>): string[] => {
  const { CloudWatchMetrics } = line['_aws'] as {
    CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[];
  };
  return CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => Metrics.map(({ Name }) => `${Name} by ${names.join(', ')}`)),
  );
};

/** An operation of each function, and the payment side's, with its name in the log. */
const NAMES: readonly (readonly [OperationName, string])[] = [
  ...HTTP_FUNCTION_NAMES.map((name): [OperationName, string] => {
    const names = Object.keys(OPERATIONS) as OperationName[];
    const some = names.find(
      (each) => OPERATIONS[each].functionName === name && OPERATIONS[each].caller !== 'platform',
    )!;
    return [some, logNameOfFunction(name)];
  }),
  ['getPaymentCart', 'getPaymentCart'],
];

// `test/infra/stack/rollout.test.ts` finds the same dimensions in the alarms of each version.
it.each(NAMES)(
  'on Lambda, a 5xx of %s names its commit, and also counts by its version, as %s',
  async (name, operation) => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
    vi.stubEnv('COMMIT', '3f8dc76d');
    const line = await lineOf(failing(), name);
    expect(line).toMatchObject({
      status: 500,
      stage: 'test',
      operation,
      version: '7',
      ServerErrors: 1,
      ClientErrors: 0,
    });
    expect(line).toHaveProperty('commit', '3f8dc76d');
    expect(metricsOf(line)).toStrictEqual([
      'ClientErrors by stage, operation, mode',
      'ServerErrors by stage, operation, mode',
      'ServerErrors by stage, operation, version',
    ]);
  },
);

it.each([
  ['conflicts on one item', () => new ContentionError()],
  ['a throttle', TABLE_THROTTLES['throttled table']],
  [
    'a throttle in a transaction',
    () => Object.assign(new Error('cancelled'), { CancellationReasons: [{ Code: 'ThrottlingError' }] }),
  ],
])(
  'a 503 that any caller can cause counts by no version, so it stops no release: %s',
  async (_, newError) => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
    const line = await lineOf(failing(newError), 'getCart');
    expect(line).toMatchObject({ status: 503, ServerErrors: 1 });
    expect(line).not.toHaveProperty('version');
  },
);

it('a 429 because DynamoDB throttles the key also counts by the stage alone', async () => {
  const line = await lineOf(failing(ITEM_THROTTLES['hot item']), 'getCart');
  expect(line).toMatchObject({ status: 429, RequestsLimited: 1, KeysThrottled: 1 });
  expect(metricsOf(line)).toContain('KeysThrottled by stage');
});

it('no other line has the version or the commit: it would cost bytes, and a metric for each release', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
  vi.stubEnv('COMMIT', '3f8dc76d');
  const line = await lineOf(givenFaultyService(), 'getCart');
  expect(line).toMatchObject({ status: 200 });
  expect(line).not.toHaveProperty('version');
  expect(line).not.toHaveProperty('commit');
  expect(metricsOf(line)).toStrictEqual(['ClientErrors by stage, operation, mode']);
});

it("a limited request names its store, and the canary's counts in no metric", async () => {
  const service = await givenService();
  const limitedLine = async (storeId: string) => {
    const apiKey = await service.givenKey({ storeId, limit: 1, windowSeconds: 3_600 });
    await service.getCart('none', { apiKey });
    // The first one asks the database, the second one the memory.
    const lines = await logged(async () => {
      for (let request = 0; request < 2; request += 1) await service.getCart('none', { apiKey });
    });
    return lines;
  };
  const line = { status: 429, code: 'RATE_LIMITED', storeId: 'limited' };
  expect(await limitedLine('limited')).toMatchObject([
    { ...line, RequestsLimited: 1 },
    { ...line, RequestsLimited: 1 },
  ]);
  for (const canaryLine of await limitedLine(CANARY_STORE_ID)) {
    expect(canaryLine).toMatchObject({ ...line, storeId: CANARY_STORE_ID });
    expect(canaryLine).not.toHaveProperty('_aws');
  }
});

it('a process without versions, such as the local stage, counts a 5xx by no version', async () => {
  const line = await lineOf(failing(), 'getCart');
  expect(line).toMatchObject({ status: 500 });
  expect(line).not.toHaveProperty('version');
});
