import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../../../lib/deliveries/sending/signature.ts';
import { generateEndpointId } from '../../../../lib/endpoints/endpoint.ts';
import { generateSecret } from '../../../../lib/endpoints/signing-secret.ts';

const BODY = '{"type":"cart.completed","data":{"buyer":"Zoë 🛒"}}';

/** Verifies by the time of the machine: the package has no other clock. */
const verify = (secret: string, body: string, headers: Readonly<Record<string, string>>): unknown =>
  new Webhook(secret).verify(body, headers);

describe('the headers of a delivery', () => {
  it('are those of the vector in the test suites of Standard Webhooks and Svix', () => {
    const headers = signedHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '{"test": 2432232314}',
      { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      1_614_265_330_999,
    );
    expect(headers).toStrictEqual({
      'content-type': 'application/json',
      'content-length': '20',
      'user-agent': 'Cart-Checkout-Webhooks/1.0',
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('verify with the package of the specification, and not with another body, id or secret', () => {
    const secret = generateSecret();
    const headers = signedHeaders('evt_1', BODY, { secret }, Date.now());
    expect(verify(secret, BODY, headers)).toStrictEqual(JSON.parse(BODY));
    expect(headers['content-length']).toBe(String(Buffer.byteLength(BODY)));
    expect(() => verify(secret, `${BODY} `, headers)).toThrow('No matching signature');
    expect(() => verify(secret, BODY, { ...headers, 'webhook-id': 'evt_2' })).toThrow(
      'No matching signature',
    );
    expect(() => verify(generateSecret(), BODY, headers)).toThrow('No matching signature');
  });

  it('have the signatures of both secrets until the end of a rotation, then that of the new one', () => {
    const [secret, old] = [generateSecret(), generateSecret()];
    const nowMs = Date.now();
    const signedAt = (untilMs: number) =>
      signedHeaders('evt_1', BODY, { secret, previous: { secret: old, untilMs } }, nowMs);
    for (const each of [secret, old]) {
      expect(verify(each, BODY, signedAt(nowMs + 1))).toStrictEqual(JSON.parse(BODY));
    }
    expect(verify(secret, BODY, signedAt(nowMs))).toStrictEqual(JSON.parse(BODY));
    expect(() => verify(old, BODY, signedAt(nowMs))).toThrow('No matching signature');
  });
});

it('a secret is whsec_ and base64 of 32 bytes, an endpoint id we_ and 24 base62 characters; both are random', () => {
  const secrets = Array.from({ length: 50 }, generateSecret);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const ids = Array.from({ length: 50 }, generateEndpointId);
  for (const id of ids) expect(id).toMatch(/^we_[0-9A-Za-z]{24}$/);
  expect(new Set([...secrets, ...ids]).size).toBe(100);
});
