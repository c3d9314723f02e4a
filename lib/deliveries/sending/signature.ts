import { createHmac } from 'node:crypto';
import type { StoredSecret } from '../../endpoints/secret-repository.ts';
import { secretBytes } from '../../endpoints/signing-secret.ts';

const USER_AGENT = 'Cart-Checkout-Webhooks/1.0';

/**
 * The headers of a delivery: Standard Webhooks 1.0.0, "Webhook headers". During a rotation, both secrets sign.
 *
 * @param id the id of the event, the same on each attempt
 * @param body the bytes to send, as text
 */
export const signedHeaders = (
  id: string,
  body: string,
  { secret, previous }: Pick<StoredSecret, 'secret' | 'previous'>,
  nowMs: number,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const secrets = previous && previous.untilMs > nowMs ? [secret, previous.secret] : [secret];
  const signatures = secrets.map((each) => {
    const hmac = createHmac('sha256', secretBytes(each));
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
};
