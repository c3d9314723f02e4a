import { CartCheckout } from 'cart-checkout-client';
import { expect, test, vi } from 'vitest';
import {
  checkEndpoint,
  type Checks,
  createEndpointCheck,
} from '../../../../infra/local/checklist/endpoint-check.ts';
import type { Send } from '../../../../lib/deliveries/sending/send.ts';
import { generateSecret } from '../../../../lib/endpoints/signing-secret.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { newEndpoint } from '../../../support/domain/endpoints.ts';

const ENDPOINT = newEndpoint();
const SECRET = generateSecret();
const now = () => NOW_MS;

/** A receiver that rejects what the client for merchants rejects. */
const careful: Send = async ({ headers, body }) => {
  try {
    CartCheckout.verifyWebhook(SECRET, headers, body, { nowSeconds: NOW_MS / 1_000 });
    return { status: 204, ms: 1 };
  } catch {
    return { status: 400, ms: 1 };
  }
};

/** A receiver that verifies signatures alone. */
const forgetful: Send = async ({ headers, body }) => {
  const nowSeconds = Number(headers['webhook-timestamp']);
  try {
    CartCheckout.verifyWebhook(SECRET, headers, body, { nowSeconds });
    return { status: 200, ms: 1 };
  } catch {
    return { status: 401, ms: 1 };
  }
};

const always =
  (status: number): Send =>
  async () => ({ status, ms: 1 });

test.each<readonly [string, Send, readonly string[]]>([
  ['passes all', careful, ['valid', 'forged', 'old']],
  ['without an age fails at the old one', forgetful, ['valid', 'forged']],
  ['without a check fails at the forged one', always(200), ['valid']],
  ['that fails proves nothing', always(500), []],
  ['that rejects all proves nothing', always(400), []],
])('an endpoint %s', async (_, send, passed) => {
  const trials = await checkEndpoint(ENDPOINT, SECRET, { send, now });
  expect(trials.filter(({ isPassed }) => isPassed).map(({ name }) => name)).toStrictEqual(passed);
});

test('an endpoint that fails on a forged event does not reject it', async () => {
  const send: Send = async (request) => {
    const { status } = await careful(request);
    return { status: status === 400 ? 500 : status, ms: 1 };
  };
  const [, forged] = await checkEndpoint(ENDPOINT, SECRET, { send, now });
  expect(forged).toMatchObject({ name: 'forged', status: 500, isPassed: false });
});

const check = async (send: Send, endpointId = ENDPOINT.endpointId) => {
  const checks: Checks = new Map();
  const onPassed = vi.fn<(endpointId: string, atMs: number) => void>();
  const handler = createEndpointCheck({
    endpoints: {
      findById: async (id) =>
        id === ENDPOINT.endpointId ? { ...ENDPOINT, state: { failures: 0 } } : undefined,
    },
    secrets: { find: async (id: string) => ({ id, secret: SECRET }) },
    checks,
    onPassed,
    send,
    now,
  });
  const { statusCode } = await handler({ pathParameters: { endpointId } } as never, {} as never);
  return { statusCode, onPassed, trials: checks.get(endpointId)?.length };
};

test('only an endpoint that passes is reported, and each check is kept', async () => {
  expect(await check(careful)).toMatchObject({ statusCode: 200, trials: 3 });
  expect((await check(careful)).onPassed).toHaveBeenCalledExactlyOnceWith(ENDPOINT.endpointId, NOW_MS);
  const failed = await check(always(204));
  expect(failed).toMatchObject({ statusCode: 422, trials: 3 });
  expect(failed.onPassed).not.toHaveBeenCalled();
  expect(await check(careful, 'we_9')).toMatchObject({ statusCode: 404, trials: undefined });
});
