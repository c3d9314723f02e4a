import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewCreatedCart, viewRetrievedCart } from '../../../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../../../lib/carts/cart.ts';
import { API_ERRORS, type ApiErrorKind, helpLink } from '../../../../../lib/http/errors.ts';
import { emissionIntervalMicros } from '../../../../../lib/token-bucket/token-bucket.ts';
import type { ApiResponse } from '../../../../support/contract/contract.ts';
import { benchCart } from '../../../bench/support/items.ts';
import type { Exchange, FaultWindow, History, SentRequest } from '../history.ts';
import { checkBuckets } from './buckets.ts';
import { checkHistory } from './check.ts';

const START_MS = Date.UTC(2026, 0, 15, 12, 30);
const RATE_LIMIT = {
  'x-ratelimit-limit': '10',
  'x-ratelimit-remaining': '9',
  'x-ratelimit-reset': '1768480201',
};
const RETRY = { 'retry-after': '1' };
const AUTHENTICATE = { 'www-authenticate': 'Bearer' };

const givenCart = (): Cart => benchCart(randomUUID(), START_MS, { marker: 'request-1' });
const cart = givenCart();
const twin = givenCart();
const stored = { storedCarts: [cart] };
const KEY = { limit: 10, windowSeconds: 10, storeId: cart.storeId, mode: cart.mode };

const CREATE: SentRequest = {
  operation: 'createCartCheckout',
  keyName: 'key',
  expects: 'created',
  payload: 'payload-1',
  marker: 'request-1',
};
const IDEMPOTENT = { ...CREATE, idempotencyKey: 'order-1' };
const RETRIEVE: SentRequest = {
  operation: 'getCart',
  keyName: 'key',
  expects: 'retrieved',
  cartId: cart.id,
};
const RETRIEVE_UNKNOWN: SentRequest = { ...RETRIEVE, expects: 'cartNotFound' };

const response = (status: number, body: object, headers: Record<string, string>): ApiResponse => ({
  status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    ...headers,
  },
  body: JSON.parse(JSON.stringify(body)) as Record<string, unknown>,
  bodyText: '',
});
const payAddressOf = ({ id }: Cart) => ({ redirectUrl: `https://pay.example.com/${id}` });
const retrieved = (made: Cart): ApiResponse => {
  const body = { ...viewRetrievedCart(made, START_MS), ...payAddressOf(made) };
  return response(200, body, { ...RATE_LIMIT, etag: '"tag"' });
};
const created = (made: Cart, headers: Record<string, string> = RATE_LIMIT): ApiResponse =>
  response(201, { cart: viewCreatedCart(made, START_MS), ...payAddressOf(made) }, headers);
const replayed = (made: Cart): ApiResponse => created(made, { ...RATE_LIMIT, 'idempotent-replayed': 'true' });
const rejected = (kind: ApiErrorKind, headers: Record<string, string> = RATE_LIMIT): ApiResponse => {
  const { status, code, message } = API_ERRORS[kind];
  return response(
    status,
    { code, message },
    { link: helpLink('https://api.example.com/errors', code), ...headers },
  );
};

/** An exchange with process 0, from `fromMs` to `toMs` after the start. */
const exchange = (
  request: SentRequest,
  outcome: ApiResponse | 'cut',
  fromMs = 0,
  toMs = fromMs + 10,
): Exchange => ({
  number: 1,
  scenario: 'by hand',
  stage: 0,
  request,
  ...(outcome === 'cut' ? { status: outcome } : { status: outcome.status, response: outcome }),
  startedAtMs: START_MS + fromMs,
  endedAtMs: START_MS + toMs,
  durationMs: toMs - fromMs,
});

const creation = exchange(CREATE, created(cart));
const first = exchange(IDEMPOTENT, created(cart));
const succeeded = (toMs: number): Exchange => exchange(RETRIEVE, retrieved(cart), toMs - 10, toMs);
const failed = (fromMs: number): Exchange =>
  exchange(IDEMPOTENT, rejected('serviceUnavailable', RETRY), fromMs);
const throttled = (durationMs: number): Exchange =>
  exchange(CREATE, rejected('rateLimited', { ...RATE_LIMIT, ...RETRY }), 0, durationMs);
const notFound = (fromMs: number, toMs: number): Exchange =>
  exchange(RETRIEVE_UNKNOWN, rejected('cartNotFound'), fromMs, toMs);

/** A fault from 1 s to 3 s after the start. */
const fault = (target: FaultWindow['target']): Partial<History> => ({
  ...stored,
  faults: [{ scenario: 'by hand', target, fromMs: START_MS + 1_000, toMs: START_MS + 3_000 }],
});

const historyOf = (exchanges: readonly Exchange[], changes: Partial<History> = {}): History => ({
  exchanges,
  faults: [],
  keys: new Map([['key', KEY]]),
  stages: 1,
  storedCarts: [],
  ...changes,
});

test('a correct history breaks no rule', () => {
  const exchanges = [
    first,
    failed(2_000),
    exchange(IDEMPOTENT, 'cut', 2_500),
    exchange(IDEMPOTENT, replayed(cart), 3_000),
    failed(7_990),
    succeeded(8_000),
    throttled(5_000),
    notFound(9_000, 9_010),
    exchange(
      { ...RETRIEVE, keyName: 'unknown', expects: 'invalidApiKey' },
      rejected('invalidApiKey', AUTHENTICATE),
    ),
  ];
  expect(checkHistory(historyOf(exchanges, fault({ stage: 0 })))).toStrictEqual([]);
});

const RESPONSE = 'each response keeps the contract and fits its request';
const UNEXPLAINED = 'no request fails without a fault';
const STORED = 'each cart of a response is stored, and equal';
const TWO_CARTS = 'one request makes one cart';
const RECOVERY = 'the service recovers by itself within 5000 ms';

test.for<[example: string, rules: string[], exchanges: Exchange[], changes?: Partial<History>]>([
  ['404 after 201', [RESPONSE], [creation, exchange(RETRIEVE, rejected('cartNotFound'))], stored],
  ['500', [RESPONSE, UNEXPLAINED], [exchange(CREATE, rejected('internal'))]],
  ['429 without headers', [RESPONSE], [exchange(CREATE, rejected('rateLimited', {}))]],
  ['a slow response', ['each response comes within 5000 ms'], [throttled(5_001)]],
  [
    'a cut while the database fails',
    ['a connection is cut only if its own process was killed'],
    [exchange(CREATE, 'cut', 2_000), succeeded(3_010)],
    fault('database'),
  ],
  ['a cart not stored', [STORED], [creation]],
  [
    'a cart stored otherwise',
    [STORED],
    [creation],
    { storedCarts: [{ ...cart, updatedAtMs: START_MS + 1 }] },
  ],
  ['two carts of a request', [TWO_CARTS], [creation], { storedCarts: [cart, twin] }],
  ['a cart of a 429', ['no cart exists whose request was rejected or never sent'], [throttled(10)], stored],
  [
    'two carts of an idempotency key',
    [TWO_CARTS, 'an idempotency key names one cart', 'a replay returns the same cart'],
    [first, exchange(IDEMPOTENT, replayed(twin))],
    { storedCarts: [cart, twin] },
  ],
  [
    'two carts of an idempotency key, by two API keys of a store',
    [TWO_CARTS, 'an idempotency key names one cart', 'a replay returns the same cart'],
    [first, exchange({ ...IDEMPOTENT, keyName: 'successor' }, replayed(twin))],
    { storedCarts: [cart, twin], keys: new Map(['key', 'successor'].map((name) => [name, KEY])) },
  ],
  [
    'two payloads of an idempotency key',
    ['an idempotency key accepts one payload'],
    [first, exchange({ ...IDEMPOTENT, payload: 'other' }, replayed(cart))],
    stored,
  ],
  ['no replay', ['at most one response of an idempotency key is no replay'], [first, first], stored],
  [
    'a rejected retry',
    ['a retry is not rejected as reuse'],
    [first, exchange(IDEMPOTENT, rejected('idempotencyKeyReused'))],
    stored,
  ],
  [
    'a replay without a key',
    ['only a request with an idempotency key gets a replay'],
    [exchange(CREATE, replayed(cart))],
    stored,
  ],
  ['late recovery', [RECOVERY], [creation, succeeded(8_001)], fault('database')],
  ['no recovery', [RECOVERY], [creation], fault({ stage: 0 })],
  [
    'a second process that does not serve',
    ['a process serves while another is down'],
    [creation, succeeded(3_010)],
    { ...fault({ stage: 0 }), stages: 2 },
  ],
  ['a failure before a fault', [UNEXPLAINED], [creation, failed(980), succeeded(3_010)], fault('database')],
  ['a failure 5 s after', [UNEXPLAINED], [creation, succeeded(3_010), failed(8_001)], fault('database')],
])('%s is reported', ([, rules, exchanges, changes]) => {
  const reported = checkHistory(historyOf(exchanges, changes)).map(({ rule }) => rule);
  expect([...new Set(reported)]).toStrictEqual(rules);
});

test('a bucket is reported exactly if an interval holds more whole requests than the rule allows', () => {
  const limitsArbitrary = fc.record({
    limit: fc.integer({ min: 1, max: 6 }),
    windowSeconds: fc.integer({ min: 1, max: 5 }),
  });
  const time = fc.record({ fromMs: fc.nat(12_000), lengthMs: fc.nat(6_000) });
  let reported = 0;
  fc.assert(
    fc.property(limitsArbitrary, fc.array(time, { maxLength: 50 }), (limits, times) => {
      const exchanges = times.map(({ fromMs, lengthMs }) => notFound(fromMs, fromMs + lengthMs));
      const intervalMs = emissionIntervalMicros(limits) / 1_000;
      const isBroken = exchanges.some(({ startedAtMs: fromMs }) =>
        exchanges.some(({ endedAtMs: toMs }) => {
          const inside = exchanges.filter((seen) => seen.startedAtMs >= fromMs && seen.endedAtMs <= toMs);
          return inside.length > 0 && (inside.length - limits.limit) * intervalMs > toMs - fromMs;
        }),
      );
      const violations = checkBuckets(
        historyOf(exchanges, { keys: new Map([['key', { ...KEY, ...limits }]]) }),
      );
      expect(violations.length > 0).toBe(isBroken);
      reported += violations.length;
    }),
  );
  expect(reported).toBeGreaterThan(0);
});
