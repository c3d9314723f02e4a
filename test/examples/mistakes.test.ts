import { createHash, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { type ClientCall, testedClients, stopClients } from '../support/examples/clients.ts';
import { givenResponses } from './support/scripted-api.ts';

afterAll(stopClients);

const KEY = generateApiKey('test');
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const NOW_SECONDS = Date.UTC(2026, 0, 15) / 1_000;
const BODY = JSON.stringify({ id: 'evt_1', type: 'cart.completed', data: { id: '1' } });

/** A value that JSON does not have. The driver of each language creates it. */
const special = (name: 'nan' | 'infinity' | 'map') => ({ $special: name });

type Mistake = readonly [name: string, call: Partial<ClientCall>, message: RegExp];

const given = (client: Readonly<Record<string, unknown>>): Partial<ClientCall> => ({ client });

const creation = (cart: unknown, options: Readonly<Record<string, unknown>> = {}): Partial<ClientCall> => ({
  method: 'createCart',
  args: [cart],
  options,
});

const reading = (options: Readonly<Record<string, unknown>>): Partial<ClientCall> => ({
  method: 'listEvents',
  args: [],
  options,
});

const waiting = (options: Readonly<Record<string, unknown>>): Partial<ClientCall> => ({
  method: 'waitForStatus',
  args: ['1'],
  options,
});

const WHITE_SPACE = 'begins or ends with white space';
const NUMBER = /^timeoutSeconds is .+, not a number of at least 0$/;

/** A client names each mistake before it sends anything. Python has its names in snake case. */
const MISTAKES: readonly Mistake[] = [
  ['no address', given({ baseUrl: null }), /^baseUrl is missing$/],
  ['another scheme', given({ baseUrl: 'ftp://api' }), /^baseUrl is malformed: pass an address such as /],
  ['a key in the address', given({ baseUrl: `https://${KEY}@api` }), /^baseUrl is malformed: /],
  ['no key', given({ apiKey: '' }), /^apiKey is missing$/],
  ['a key with a line break', given({ apiKey: `${KEY}\n` }), new RegExp(`^apiKey ${WHITE_SPACE}$`)],
  ['a key in quotes', given({ apiKey: `"${KEY}"` }), /^apiKey is in quotes$/],
  ['a key with white space', given({ apiKey: KEY.replace('_', ' ') }), /^apiKey is malformed$/],
  [
    'a secret as key',
    given({ apiKey: SECRET }),
    /^apiKey is the secret of a webhook endpoint: pass cck_\.\.\.$/,
  ],
  ['a negative time limit', given({ timeoutSeconds: -1 }), NUMBER],
  ['NaN as time limit', given({ timeoutSeconds: special('nan') }), NUMBER],
  ['a time limit of a call', reading({ timeoutSeconds: -1 }), NUMBER],
  ['an unknown option', reading({ cursor: 'x' }), /\bcursor\b/],
  ['an empty cursor', reading({ after: '' }), /^after is empty$/],
  ['NaN as limit', reading({ limit: special('nan') }), /\blimit\b.*(?:NaN|float)/],
  ['a text as list of statuses', waiting({ statuses: 'completed' }), /\bstatuses\b.*(?:string|str)\b/],
  ['no id', { method: 'retrieveCart', args: [''] }, /^cartId is missing$/],
  ['dots as id', { method: 'retrieveCart', args: ['..'] }, /^cartId is malformed$/],
  [
    'an object as id',
    { method: 'retrieveCart', args: [{ id: '1' }] },
    /^cartId is an? \w+, not a str|cartId.* must be of type string/,
  ],
  ['NaN as price', creation({ customerPrice: special('nan') }), /^cart\.customerPrice is NaN$/i],
  [
    'an infinite number',
    creation({ expiresInMinutes: special('infinity') }),
    /^cart\.expiresInMinutes is inf/i,
  ],
  ['NaN in meta', creation({ meta: { a: special('nan') } }), /^cart\.meta\.a is NaN$/i],
  ['a map as meta', creation({ meta: special('map') }), /^(?:cart|A key of cart)\.?.*meta is an? /],
  ['a text as cart', creation('one-course'), /cart.* (?:a str|of type array)/i],
  [
    'white space before the idempotency key',
    creation({}, { idempotencyKey: ' a' }),
    new RegExp(`^idempotencyKey ${WHITE_SPACE}$`),
  ],
  ['an empty idempotency key', creation({}, { idempotencyKey: '' }), /^idempotencyKey is missing$/],
  [
    'a header in the idempotency key',
    creation({}, { idempotencyKey: 'a\r\nB: 1' }),
    /^idempotencyKey is malformed: /,
  ],
  ['a letter with an accent in it', creation({}, { idempotencyKey: 'é' }), /^idempotencyKey is malformed: /],
];

interface Message {
  readonly secret?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly nowSeconds?: number;
}

const signed = (): Readonly<Record<string, string>> => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(NOW_SECONDS),
  'webhook-signature': new Webhook(SECRET).sign('evt_1', new Date(NOW_SECONDS * 1_000), BODY),
});

const without = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(signed()).filter(([each]) => each !== name));

const AS_THEY_ARRIVED = /^rawBody is an? \w+: pass the bytes as they arrived, not parsed\. /;
const DIGEST = createHash('sha256').update(`${BODY} `).digest('hex');

const CONFIGURATION = false;
const REJECTION = true;

/** The mistakes of a receiver, and whether the webhook gets a 400. Another error is one of the receiver. */
const WEBHOOK_MISTAKES: readonly (readonly [string, Message, RegExp, boolean])[] = [
  ['a parsed body', { body: JSON.parse(BODY) as object }, AS_THEY_ARRIVED, CONFIGURATION],
  ['no headers', { headers: {} }, /^There is no header webhook-id$/, REJECTION],
  [
    'no timestamp',
    { headers: without('webhook-timestamp') },
    /^There is no header webhook-timestamp$/,
    REJECTION,
  ],
  [
    'no signature',
    { headers: without('webhook-signature') },
    /^There is no header webhook-signature$/,
    REJECTION,
  ],
  [
    'a clock that is ahead',
    { nowSeconds: NOW_SECONDS + 361 },
    /^webhook-timestamp is 361 s behind this clock, .* 300 s$/,
    REJECTION,
  ],
  [
    'a clock that is behind',
    { nowSeconds: NOW_SECONDS - 361 },
    /^webhook-timestamp is 361 s ahead of this clock, .* 300 s$/,
    REJECTION,
  ],
  [
    'other bytes',
    { body: `${BODY} ` },
    new RegExp(`^No signature is valid for this secret and body: .*SHA-256 of the body: ${DIGEST}$`),
    REJECTION,
  ],
  [
    'an API key as secret',
    { secret: KEY },
    /^secret is an API key: pass the secret of the endpoint, whsec_\.\.\.$/,
    CONFIGURATION,
  ],
  ['no secret', { secret: null }, /^secret is missing$/, CONFIGURATION],
  ['an empty list of secrets', { secret: [] }, /^secret is missing$/, CONFIGURATION],
  ['a missing secret in a list', { secret: [null] }, /^secret is missing$/, CONFIGURATION],
  [
    'a secret with a line break',
    { secret: `${SECRET}\n` },
    new RegExp(`^secret ${WHITE_SPACE}$`),
    CONFIGURATION,
  ],
  ['a secret in quotes', { secret: `'${SECRET}'` }, /^secret is in quotes$/, CONFIGURATION],
  ['a cut secret', { secret: SECRET.slice(0, -3) }, /^secret is malformed$/, CONFIGURATION],
  ...['whsec_§', 'whsec_', 'A', 'null', 'undefined', `whsec_${'A'.repeat(31)}`].map(
    (secret) => [`the secret ${secret}`, { secret }, /^secret is malformed$/, CONFIGURATION] as const,
  ),
];

const camel = (text: unknown): string =>
  String(text).replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe.each(testedClients())('the client for $language', ({ language, perform }) => {
  test.each(MISTAKES)('rejects %s with a message, and without a request', async (_, call, message) => {
    const { baseUrl, requests } = await givenResponses({ status: 200, body: { id: '1', events: [] } });
    const client = { baseUrl, apiKey: KEY, ...call.client };
    const { error } = await perform({ method: 'listEvents', args: [], options: {}, ...call, client });
    const text = String(error?.['message']).replaceAll('cck_', 'cck-');
    expect(camel(text).replaceAll('cck-', 'cck_')).toMatch(message);
    expect(error?.['name']).not.toBe('CartCheckoutError');
    expect(text).not.toContain(KEY.slice(4));
    expect(requests).toHaveLength(0);
  });

  test.each(WEBHOOK_MISTAKES)(
    'rejects a webhook with %s with a message',
    async (_, changes, message, isRejection) => {
      const { headers = signed(), body = BODY, nowSeconds = NOW_SECONDS } = changes;
      // A secret that is null is a case of its own.
      const args = ['secret' in changes ? changes.secret : SECRET, headers, body];
      const { error } = await perform({ method: 'verifyWebhook', args, options: { nowSeconds } });
      expect(String(error?.['message']).replace('raw_body', 'rawBody')).toMatch(message);
      expect(error?.['name'] === 'WebhookVerificationError').toBe(isRejection);
      expect(error?.['message']).not.toContain(SECRET.slice(6, -6));
    },
  );

  test('verifies a webhook with a secret that lost its padding', async () => {
    const args = [SECRET.replaceAll('=', ''), signed(), BODY];
    const options = { nowSeconds: NOW_SECONDS };
    expect((await perform({ method: 'verifyWebhook', args, options })).value).toStrictEqual(JSON.parse(BODY));
  });

  test('verifies a webhook whose headers have the names of CGI', async () => {
    const names = Object.entries(signed()).map(([name, value]) => [
      `HTTP_${name.replaceAll('-', '_').toUpperCase()}`,
      value,
    ]);
    const call = { method: 'verifyWebhook', args: [SECRET, Object.fromEntries(names), BODY] };
    const { value } = await perform({ ...call, options: { nowSeconds: NOW_SECONDS } });
    // No server for Node.js has them.
    expect(value !== undefined).toBe(language !== 'Node.js');
  });
});
