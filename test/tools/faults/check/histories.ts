import { randomUUID } from 'node:crypto';
import { viewCreatedCart, viewRetrievedCart } from '../../../../lib/carts/cart-view.ts';
import { type Cart, newCart } from '../../../../lib/carts/cart.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../../lib/http/errors.ts';
import type { ApiResponse } from '../../../support/contract.ts';
import { BUYER } from '../../../support/secrets.ts';
import type { CreateRequest, Exchange, History, Outcome, RetrieveRequest } from '../history.ts';

/** When the histories made by hand begin. */
export const START_MS = Date.UTC(2026, 0, 15, 12, 30);

const KEY = { limit: 10, windowSeconds: 10, storeId: 'store-1', mode: 'test' } as const;

const LIFETIME = { expirySeconds: 24 * 3_600, retentionSeconds: 30 * 86_400 };

/** A cart as the service stores it for {@link createRequest}. */
export const givenCart = (changes: Partial<Cart> = {}): Cart => ({
  ...newCart(
    {
      id: randomUUID(),
      storeId: KEY.storeId,
      mode: KEY.mode,
      customerInfo: { ...BUYER },
      productId: 'course',
      productName: 'Course',
      price: { amount: 19.99, currency: 'EUR' },
      meta: { marker: 'request-1' },
      requestFingerprint: 'fingerprint',
      nowMs: START_MS,
    },
    LIFETIME,
  ),
  ...changes,
});

/** A request for that cart. */
export const createRequest = (changes: Partial<CreateRequest> = {}): CreateRequest => ({
  operation: 'create',
  keyName: 'key',
  expects: 'created',
  payload: 'payload-1',
  marker: 'request-1',
  ...changes,
});

export const retrieveRequest = (cartId: string, changes: Partial<RetrieveRequest> = {}): RetrieveRequest => ({
  operation: 'retrieve',
  keyName: 'key',
  expects: 'retrieved',
  cartId,
  ...changes,
});

const RATE_LIMIT = {
  'x-ratelimit-limit': '10',
  'x-ratelimit-remaining': '9',
  'x-ratelimit-reset': '1768480201',
};

const answer = (status: number, body: object, headers: Record<string, string> = {}): ApiResponse => {
  const bodyText = JSON.stringify(body);
  const common = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
  };
  return {
    status,
    headers: { ...common, ...headers },
    body: JSON.parse(bodyText) as Record<string, unknown>,
    bodyText,
  };
};

/** The answer 201 that tells of a cart. */
export const created = (cart: Cart, headers: Record<string, string> = {}): ApiResponse =>
  answer(
    201,
    { cart: viewCreatedCart(cart, START_MS), redirectUrl: `https://pay.example.com/${cart.id}` },
    { ...RATE_LIMIT, ...headers },
  );

/** The answer 201 to a retry. */
export const replayed = (cart: Cart): ApiResponse => created(cart, { 'idempotent-replayed': 'true' });

/** The answer 200 that tells of a cart. */
export const retrieved = (cart: Cart): ApiResponse =>
  answer(200, viewRetrievedCart(cart, START_MS), RATE_LIMIT);

/** An error as the service shapes it, its usual headers included. */
export const refused = (kind: ApiErrorKind): ApiResponse => {
  const { status, code, message } = API_ERRORS[kind];
  const retryAfter = kind === 'rateLimited' || kind === 'serviceUnavailable' ? { 'retry-after': '1' } : {};
  const authenticate = kind === 'invalidApiKey' ? { 'www-authenticate': 'Bearer' } : {};
  const rateLimit = kind === 'invalidApiKey' || kind === 'serviceUnavailable' ? {} : RATE_LIMIT;
  return answer(status, { code, message }, { ...rateLimit, ...retryAfter, ...authenticate });
};

let number = 0;

/** A request that was answered; at the start and within 10 ms, by the first process, unless told otherwise. */
export const exchange = (
  request: Exchange['request'],
  outcome: ApiResponse | 'cut',
  changes: Partial<Exchange> = {},
): Exchange => {
  number += 1;
  const seen: Outcome =
    outcome === 'cut' ? { kind: 'cut', reason: 'ECONNRESET' } : { kind: 'answer', answer: outcome };
  const times = { startedAtMs: START_MS, endedAtMs: START_MS + 10, durationMs: 10 };
  return { number, scenario: 'by hand', stage: 0, request, ...times, outcome: seen, ...changes };
};

/** A history of these exchanges, with one key, without faults and without carts unless told otherwise. */
export const historyOf = (exchanges: readonly Exchange[], changes: Partial<History> = {}): History => ({
  exchanges,
  faults: [],
  keys: new Map([['key', KEY]]),
  stages: 1,
  storedCarts: [],
  ...changes,
});
