import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { checkNewVersions } from '../../../functions/check-versions/handler.ts';
import { OPERATIONS, ROUTES } from '../../../functions/operations.ts';
import { createLambdaClient } from '../../../lib/aws/lambda-client.ts';
import { createTransport } from '../../../lib/aws/transport.ts';
import { createCanaryKey } from '../../../lib/canary/canary-key.ts';
import { CANARY_PRODUCT, CANARY_STORE_ID } from '../../../lib/canary/canary-store.ts';
import { createHookReporter } from '../../../lib/rollout/deployment-hook.ts';
import { CHECKED_ROUTES } from '../../../lib/rollout/version-checks.ts';
import { eventOf } from '../../support/invoke.ts';
import { logged } from '../../support/log-lines.ts';
import { givenService, type TestService } from '../../support/service.ts';
import { type Change, type LambdaStandIn, startLambda, VERSIONS } from './lambda-stand-in.ts';

const HOOK = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'e-1' };

let service: TestService;
let lambda: LambdaStandIn;
let apiKey: string;

beforeAll(async () => {
  service = await givenService();
  lambda = await startLambda(service);
  apiKey = await service.givenKey({ storeId: CANARY_STORE_ID });
  await service.givenProduct(CANARY_PRODUCT);
});

afterAll(() => lambda.close());

beforeEach(() => {
  lambda.reset();
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', lambda.endpoint);
  vi.stubEnv('AWS_ENDPOINT_URL_CODEDEPLOY', lambda.endpoint);
});

afterEach(() => vi.unstubAllEnvs());

interface Options {
  readonly key?: string | undefined;
  readonly versions?: ReadonlyMap<string, string>;
  readonly timeLimitMs?: number;
}

/** Runs the hook of a deployment. Returns its pauses and its log lines. */
const runHook = async ({ key, versions = VERSIONS, timeLimitMs = 60_000 }: Options = {}) => {
  const pauses: number[] = [];
  const hook = checkNewVersions({
    lambda: createLambdaClient(createTransport(60_000)),
    versions,
    now: service.clock.now,
    findKey: () => Promise.resolve(key),
    report: createHookReporter(),
    timeLimitMs,
    sleep: (ms) => Promise.resolve(pauses.push(ms)),
  });
  const lines = await logged(() => hook(HOOK));
  return { pauses, lines: lines.filter(({ message }) => message === 'versions') };
};

const reported = (status: string) => [{ deploymentId: 'd-1', lifecycleEventHookExecutionId: 'e-1', status }];

describe('the hook before traffic', () => {
  it('invokes the new version of each API function, and none by its alias or address', async () => {
    const { lines } = await runHook({ key: apiKey });
    expect(lambda.reports).toStrictEqual(reported('Succeeded'));
    expect(lines).toMatchObject([{ outcome: 'checked', deploymentId: 'd-1' }]);
    const invoked = new Set(lambda.invocations.map(({ functionArn }) => functionArn));
    expect(invoked).toStrictEqual(new Set(VERSIONS.values()));
  });

  it('creates one cart with the key of the canary, and reads it through every other version', async () => {
    const responses: string[] = [];
    lambda.changeResponses(({ functionName, event }, result) => {
      const isKnown = event.headers['Authorization'] === `Bearer ${apiKey}`;
      responses.push(`${functionName} ${result.statusCode}${isKnown ? ' with the key' : ''}`);
      return { body: result };
    });
    await runHook({ key: apiKey });
    expect(responses.toSorted()).toStrictEqual([
      'create-cart-checkout 201 with the key',
      'create-cart-checkout 401',
      'get-cart 200 with the key',
      'get-cart 401',
      'get-payment-cart 200',
      'get-payment-cart 404',
      'list-events 200 with the key',
      'list-events 401',
      'sandbox-checkout 200',
      'sandbox-checkout 404',
    ]);
  });

  it('without the key of a canary checks the rejections alone, and writes nothing', async () => {
    await runHook();
    expect(lambda.reports).toStrictEqual(reported('Succeeded'));
    expect(lambda.invocations).toHaveLength(5);
  });

  it('skips the sandbox on a stage without one', async () => {
    const versions = new Map([...VERSIONS].filter(([name]) => name !== 'sandbox-checkout'));
    await runHook({ key: apiKey, versions });
    expect(lambda.reports).toStrictEqual(reported('Succeeded'));
    expect(lambda.invocations.map(({ functionName }) => functionName)).not.toContain('sandbox-checkout');
  });

  it('counts in no metric of merchants: its carts are of the store of the canary', async () => {
    const lines = await logged(() => runHook({ key: apiKey }));
    const created = lines.filter(
      ({ operation, status }) => operation === 'createCartCheckout' && status === 201,
    );
    expect(created).toHaveLength(1);
    expect(created[0]).not.toHaveProperty('_aws');
  });

  it('runs as deployed, with the settings of its environment', async () => {
    const { documents, tableNames } = service;
    // The deployed hook has DynamoDB's time, which is long after that of the other tests.
    const ownKey = await service.givenKey({ storeId: CANARY_STORE_ID });
    await createCanaryKey(documents, tableNames.secrets).replace(ownKey);
    vi.resetModules();
    vi.stubEnv('SECRETS_TABLE', tableNames.secrets);
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamodbEndpoint'));
    vi.stubEnv('FUNCTION_VERSIONS', [...VERSIONS].map(([name, arn]) => `${name}=${arn}`).join(','));
    const { handler } = await import('../../../functions/check-versions/handler.ts');
    await logged(() => handler(HOOK));
    expect(lambda.reports).toStrictEqual(reported('Succeeded'));
    expect(lambda.invocations).toHaveLength(10);
    expect(lambda.invocations[0]?.headers).toMatchObject({
      'x-amz-security-token': 'token',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/lambda\/aws4_request, /,
      ),
    });
  });
});

describe('an event of the hook', () => {
  it('has the fields that API Gateway sends, for the route of the function', async () => {
    await runHook({ key: apiKey });
    for (const { functionName, event } of lambda.invocations) {
      const [name] = Object.entries(OPERATIONS).find(
        ([, { functionName: served, method }]) => served === functionName && method === event.httpMethod,
      ) as [keyof typeof OPERATIONS, unknown];
      const pathParameters = (event.pathParameters ?? {}) as Record<string, string>;
      const real = eventOf(name, { pathParameters }, service.clock.now);
      expect(Object.keys(event).toSorted()).toStrictEqual(Object.keys(real).toSorted());
      expect(event).toMatchObject({ resource: real.resource, path: real.path, httpMethod: real.httpMethod });
      expect(event.pathParameters).toStrictEqual(real.pathParameters);
      const { identity } = event.requestContext;
      expect(Object.keys(identity).toSorted()).toStrictEqual(
        Object.keys(real.requestContext.identity).toSorted(),
      );
    }
  });

  it.each(Object.entries(CHECKED_ROUTES))('is for a route of the API: %s', (functionName, route) => {
    const { method, resource: path } = route;
    expect(ROUTES).toContainEqual(expect.objectContaining({ functionName, method, path }));
  });
});

describe('the hook reports a failure', () => {
  const of =
    (name: string, change: Change): Change =>
    (invoked, result) =>
      invoked.functionName === name ? change(invoked, result) : { body: result };
  const withBody =
    (text: string): Change =>
    (_, result) => ({ body: { ...result, body: text } });
  /** Both checks of a function run at the same time: a change of both responses could fail either of them first. */
  const rejectionAlone =
    (change: Change): Change =>
    (invoked, result) =>
      result.statusCode < 300 ? { body: result } : change(invoked, result);
  const withKeyAlone =
    (change: Change): Change =>
    (invoked, result) =>
      result.statusCode < 300 ? change(invoked, result) : { body: result };

  it.each<[string, string, Change]>([
    [
      'a 5xx',
      'get-cart responded 500, not 401.',
      of(
        'get-cart',
        rejectionAlone((_, result) => ({ body: { ...result, statusCode: 500 } })),
      ),
    ],
    [
      'another code',
      'list-events responded 401 with another code or message.',
      of('list-events', rejectionAlone(withBody('{"code":"UNAUTHORIZED"}'))),
    ],
    [
      'a request id of its own',
      'sandbox-checkout responded without the request id.',
      of('sandbox-checkout', (_, result) => ({ body: { ...result, headers: { 'X-Request-Id': 'own' } } })),
    ],
    ['no JSON', 'get-payment-cart responded without JSON.', of('get-payment-cart', withBody('<html>'))],
    ['no response', 'get-cart returned no response.', of('get-cart', () => ({ body: null }))],
    [
      'a cart without an address',
      'create-cart-checkout returned no payment page.',
      of('create-cart-checkout', withKeyAlone(withBody('{"cart":{"id":"c1"}}'))),
    ],
    [
      'another cart',
      'get-cart returned another cart or price.',
      of('get-cart', withKeyAlone(withBody('{"id":"c1"}'))),
    ],
    ['no events', 'list-events returned no list of events.', of('list-events', withKeyAlone(withBody('{}')))],
  ])('for %s, after three attempts ten seconds apart', async (_what, reason, change) => {
    lambda.changeResponses(change);
    const { pauses, lines } = await runHook({ key: apiKey });
    expect(lambda.reports).toStrictEqual(reported('Failed'));
    expect(pauses).toStrictEqual([10_000, 10_000]);
    expect(lines).toMatchObject([
      { level: 'WARN', outcome: 'retried', attempt: 1, reason },
      { level: 'WARN', outcome: 'retried', attempt: 2, reason },
      { level: 'ERROR', outcome: 'failed', deploymentId: 'd-1', reason },
    ]);
  });

  it.each<[string, string, Change]>([
    [
      'a version that crashes',
      'Unhandled',
      () => ({ headers: { 'x-amz-function-error': 'Unhandled' }, body: { errorMessage: 'secret' } }),
    ],
    [
      'an invocation that Lambda rejects',
      'AccessDeniedException',
      () => ({ status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' }, body: {} }),
    ],
    ['an outage of Lambda', '503', () => ({ status: 503, body: {} })],
  ])('for %s, and logs the code alone', async (_what, code, change) => {
    lambda.changeResponses(change);
    const { lines } = await runHook();
    expect(lambda.reports).toStrictEqual(reported('Failed'));
    expect(lines.at(-1)).toMatchObject({ outcome: 'failed', cause: { name: 'InvocationError', code } });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('for a version that never responds, at its time limit', async () => {
    lambda.changeResponses(() => undefined);
    const { lines } = await runHook({ timeLimitMs: 1 });
    expect(lambda.reports).toStrictEqual(reported('Failed'));
    expect(lines).toMatchObject([{ outcome: 'failed', cause: { name: 'AbortError' } }]);
  });

  it('not if a later attempt succeeds: a new permission takes effect some seconds later', async () => {
    let invocations = 0;
    lambda.changeResponses((_, result) => {
      invocations += 1;
      return invocations <= 5 ? { status: 403, body: {} } : { body: result };
    });
    await runHook();
    expect(lambda.reports).toStrictEqual(reported('Succeeded'));
  });

  it('to Lambda, which runs the hook again, if CodeDeploy rejects the report', async () => {
    lambda.rejectReports(1);
    await expect(runHook()).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidDeploymentIdException' }),
    );
    expect(lambda.reports).toStrictEqual([]);
  });
});
