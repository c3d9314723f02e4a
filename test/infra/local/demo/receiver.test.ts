import { expect, it } from 'vitest';
import { createReceiver, RECEIVER_ROUTE, receiverPath } from '../../../../infra/local/demo/receiver.ts';
import { createSender } from '../../../../lib/deliveries/sending/send.ts';
import { signedHeaders } from '../../../../lib/deliveries/sending/signature.ts';
import { generateSecret } from '../../../../lib/endpoints/signing-secret.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { givenGateway } from '../../../support/http/gateway-client.ts';

const SECRET = generateSecret();

/** Sends a webhook to the receiver as the service does. The receiver knows {@link SECRET} as that of `we_1`. */
const send = async ({ secret = SECRET, endpointId = 'we_1', sentAtMs = NOW_MS } = {}) => {
  const find = async (id: string) => (id === 'we_2' ? undefined : { id, secret: SECRET });
  const { baseUrl } = await givenGateway(
    { [RECEIVER_ROUTE.functionName]: createReceiver({ find }, () => NOW_MS) },
    { routes: [RECEIVER_ROUTE] },
  );
  const body = '{"id":"evt_1","name":"Zoë"}';
  const headers = signedHeaders('evt_1', body, { secret }, sentAtMs);
  const { status, response } = await createSender({ allowsLoopback: true })({
    url: baseUrl + receiverPath(endpointId),
    headers,
    body,
  });
  return [status, response];
};

it('the built-in receiver accepts a webhook with a valid signature', async () => {
  expect(await send()).toStrictEqual([200, 'The signature verifies.']);
});

it.each([
  ['another secret', { secret: generateSecret() }, /^The signature does not verify: No signature is valid/],
  ['an old timestamp', { sentAtMs: NOW_MS - 600_000 }, /^The signature does not verify: webhook-timestamp/],
])('a webhook with %s is rejected with the reason', async (_what, changes, reason) => {
  expect(await send(changes)).toStrictEqual([400, expect.stringMatching(reason)]);
});

it.each(['we_2', 'idempotent-cart-ids', `we_${'1'.repeat(300)}`])(
  'webhooks of other endpoints, and other ids, are rejected: %.20s',
  async (endpointId) => {
    expect(await send({ endpointId })).toStrictEqual([404, 'There is no such endpoint.']);
  },
);
