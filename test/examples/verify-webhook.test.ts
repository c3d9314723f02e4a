import { randomBytes, randomUUID } from 'node:crypto';
import { CartCheckout } from 'cart-checkout-client';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { testedClients, stopClients } from '../support/examples/clients.ts';

afterAll(stopClients);

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const [SECRET, NEW_SECRET] = [newSecret(), newSecret()];
/** The time of the messages and of those who verify them. It stands, so no test depends on the speed of the machine. */
const NOW_SECONDS = Date.UTC(2026, 0, 15) / 1_000;
const NOW = { nowSeconds: NOW_SECONDS };
const EVENT = { id: 'evt_1', type: 'cart.completed', data: { id: randomUUID(), meta: { name: 'Zoë “🛒”' } } };
const BODY = JSON.stringify(EVENT);

interface Message {
  readonly secrets?: readonly string[];
  readonly ageSeconds?: number;
  /** Headers that replace those of the service. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Signs the event with the package of Standard Webhooks, then applies the changes. */
const messageOf = ({ secrets = [SECRET], ageSeconds = 0, headers = {}, body = BODY }: Message) => {
  const timestampSeconds = NOW_SECONDS - ageSeconds;
  const date = new Date(timestampSeconds * 1_000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(EVENT.id, date, BODY));
  return {
    headers: {
      'webhook-id': EVENT.id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signatures.join(' '),
      ...headers,
    },
    body,
  };
};

/** The signature of the untouched message, changed. */
const withSignature = (change: (signature: string) => string): Message => ({
  headers: { 'webhook-signature': change(messageOf({}).headers['webhook-signature']) },
});

const GENUINE: readonly [string, Message][] = [
  ['one signature', {}],
  ['the signatures of two secrets, the known one first', { secrets: [SECRET, NEW_SECRET] }],
  ['the signatures of two secrets, the known one last', { secrets: [NEW_SECRET, SECRET] }],
  ['a signature of another version too', withSignature((signature) => `v1a,AAAA v2,AAAA ${signature}`)],
  ['a timestamp of nearly five minutes ago', { ageSeconds: 280 }],
  ['a timestamp less than five minutes ahead', { ageSeconds: -280 }],
];

const FORGED: readonly [string, Message][] = [
  ['the signature of another secret', { secrets: [NEW_SECRET] }],
  ['no signature', { secrets: [] }],
  ['another body', { body: `${BODY} ` }],
  ['the id of another event', { headers: { 'webhook-id': 'evt_2' } }],
  ['another timestamp', { headers: { 'webhook-timestamp': String(NOW_SECONDS - 1) } }],
  ['no timestamp', { headers: { 'webhook-timestamp': '' } }],
  ['no id', { headers: { 'webhook-id': '' } }],
  ['a timestamp that is no number', { headers: { 'webhook-timestamp': 'now' } }],
  ['a timestamp of more than five minutes ago', { ageSeconds: 320 }],
  ['a timestamp more than five minutes ahead', { ageSeconds: -320 }],
  ['a signature of another version', withSignature((signature) => signature.replace('v1,', 'v2,'))],
  ['a signature that is cut', withSignature((signature) => signature.slice(0, -1))],
  ['a signature with a tail', withSignature((signature) => `${signature}=`)],
  ['a signature in another case', withSignature((signature) => signature.toLowerCase())],
  ['an empty signature', withSignature(() => 'v1,')],
  ['a signature that is not ASCII', withSignature((signature) => `${signature}é`)],
  ['10,000 signatures', withSignature(() => 'v1,AAAA '.repeat(10_000))],
  ['a timestamp of Arabic digits', { headers: { 'webhook-timestamp': '١'.repeat(10) } }],
];

/** Whether the package of Standard Webhooks accepts a message. */
const isGenuine = ({ headers, body }: ReturnType<typeof messageOf>): boolean => {
  vi.useFakeTimers({ now: NOW_SECONDS * 1_000, toFake: ['Date'] });
  try {
    new Webhook(SECRET).verify(body, headers);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
};

describe.each(testedClients())('verifyWebhook for $language', ({ perform }) => {
  const verify = (secret: string | readonly string[], message: ReturnType<typeof messageOf>, options = {}) =>
    perform({
      method: 'verifyWebhook',
      args: [secret, message.headers, message.body],
      options: { ...NOW, ...options },
    });

  test.each(GENUINE)(
    'returns the event with %s, as the package of Standard Webhooks does',
    async (_, changes) => {
      const message = messageOf(changes);
      expect(isGenuine(message)).toBe(true);
      expect(await verify(SECRET, message)).toMatchObject({ value: EVENT });
    },
  );

  test.each(FORGED)(
    'rejects a message with %s, as the package of Standard Webhooks does',
    async (_, changes) => {
      const message = messageOf(changes);
      expect(isGenuine(message)).toBe(false);
      const { error } = await verify(SECRET, message);
      expect(error?.['name']).toBe('WebhookVerificationError');
      expect(error?.['message']).not.toContain(SECRET);
    },
  );

  test('accepts a timestamp within five minutes of the clock, and none beyond', async () => {
    const results = [-301, -300, 300, 301].map(async (ageSeconds) => {
      const { value } = await verify(SECRET, messageOf({}), { nowSeconds: NOW_SECONDS + ageSeconds });
      return value !== undefined;
    });
    expect(await Promise.all(results)).toStrictEqual([false, true, true, false]);
  });

  test('has the clock of the machine by default', async () => {
    const aheadSeconds = Math.floor(Date.now() / 1_000) - NOW_SECONDS;
    const results = [0, 3_600].map(async (ageSeconds) => {
      const { headers, body } = messageOf({ ageSeconds: ageSeconds - aheadSeconds });
      const call = { method: 'verifyWebhook', args: [SECRET, headers, body], options: {} };
      return (await perform(call)).value !== undefined;
    });
    expect(await Promise.all(results)).toStrictEqual([true, false]);
  });

  test('accepts each of several secrets, and headers in any case', async () => {
    const { headers, body } = messageOf({ secrets: [NEW_SECRET] });
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const message = { headers: shouted as typeof headers, body };
    expect(await verify([SECRET, NEW_SECRET], message)).toMatchObject({ value: EVENT });
    expect(await verify([SECRET], message)).toMatchObject({ error: { name: 'WebhookVerificationError' } });
  });
});

// Some frameworks for Python decode bytes that are not UTF-8 so. The driver for PHP cannot read such texts.
test.each(testedClients().filter(({ language }) => language !== 'PHP'))(
  'verifyWebhook for $language rejects headers with lone surrogates',
  async ({ perform }) => {
    const names = ['webhook-id', 'webhook-signature'];
    const errors = names.map(async (name) => {
      const { headers, body } = messageOf({ headers: { [name]: '\uDCFF' } });
      const { error } = await perform({
        method: 'verifyWebhook',
        args: [SECRET, headers, body],
        options: NOW,
      });
      return error?.['name'];
    });
    expect(await Promise.all(errors)).toStrictEqual(names.map(() => 'WebhookVerificationError'));
  },
);

test('verifyWebhook for Node.js reads the headers of a Request, and bytes in each form', () => {
  const { headers, body } = messageOf({});
  const bytes = new TextEncoder().encode(`[${body}]`);
  const view = [1, bytes.length - 2] as const;
  const parts = [bytes.subarray(1, -1), new DataView(bytes.buffer, ...view), bytes.buffer.slice(1, -1)];
  for (const part of [...parts, Buffer.from(body)]) {
    const event = CartCheckout.verifyWebhook(SECRET, new Headers(headers), part, NOW);
    expect(event).toStrictEqual(EVENT);
  }
});
