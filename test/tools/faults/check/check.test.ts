import { describe, expect, test } from 'vitest';
import { API_ERRORS } from '../../../../lib/http/errors.ts';
import type { History } from '../history.ts';
import { checkHistory } from './check.ts';
import {
  created,
  createRequest,
  exchange,
  givenCart,
  historyOf,
  refused,
  replayed,
  retrieved,
  retrieveRequest,
  START_MS,
} from './histories.ts';

const expectRules = (history: History, rules: readonly string[]): void => {
  expect(checkHistory(history).map(({ rule }) => rule)).toStrictEqual(rules);
};

const SHAPE = 'every failure is shaped, and every answer is one that its request may get';
const EXISTS = 'each cart that was answered exists, and equals its answer';
const NO_FAULT = 'no request fails without a fault';
const DATABASE_FAULT = {
  scenario: 'by hand',
  victim: 'database',
  fromMs: START_MS - 1_000,
  toMs: START_MS,
} as const;

describe('a sound history', () => {
  test('of a creation, its replay, its retrieval and every refusal is not found guilty', () => {
    const cart = givenCart();
    const request = createRequest({ idempotencyKey: 'order-1' });
    const history = historyOf(
      [
        exchange(request, refused('serviceUnavailable'), { startedAtMs: START_MS - 500 }),
        exchange(request, created(cart)),
        exchange(request, replayed(cart)),
        exchange(retrieveRequest(cart.id), retrieved(cart)),
        exchange(request, refused('rateLimited')),
        exchange(retrieveRequest('x', { expects: 'cartNotFound' }), refused('cartNotFound')),
        exchange(
          retrieveRequest('x', { keyName: 'unknown', expects: 'invalidApiKey' }),
          refused('invalidApiKey'),
        ),
      ],
      { storedCarts: [cart], faults: [DATABASE_FAULT] },
    );

    expectRules(history, []);
  });

  test('may hold a cart whose creation was answered 503, and one whose first answer seen is a replay', () => {
    const lost = givenCart();
    const repeated = givenCart({ meta: { marker: 'request-2' } });
    const request = createRequest({ marker: 'request-2', idempotencyKey: 'order-1' });
    const history = historyOf(
      [exchange(createRequest(), refused('serviceUnavailable')), exchange(request, replayed(repeated))],
      { storedCarts: [lost, repeated], faults: [DATABASE_FAULT] },
    );

    expectRules(history, []);
  });
});

describe('carts: found guilty is a history', () => {
  test('whose database lacks a cart that was answered 201', () => {
    expectRules(historyOf([exchange(createRequest(), created(givenCart()))]), [EXISTS]);
  });

  test('whose database has the cart otherwise', () => {
    const cart = givenCart();
    const other = { ...cart, customerInfo: { ...cart.customerInfo, phone: '1' } };
    expectRules(historyOf([exchange(createRequest(), created(cart))], { storedCarts: [other] }), [EXISTS]);
  });

  test('whose cart was made of another request than the one that it answers', () => {
    const cart = givenCart({ meta: { marker: 'request-2' } });
    const other = exchange(createRequest({ marker: 'request-2' }), 'cut', { stage: 0 });
    const faults = [{ ...DATABASE_FAULT, victim: { stage: 0 } }];
    const history = historyOf([exchange(createRequest(), created(cart)), other], {
      storedCarts: [cart],
      faults,
    });
    expectRules(history, [EXISTS]);
  });

  test('whose cart is of another store than its key', () => {
    const cart = givenCart({ storeId: 'store-2' });
    expectRules(historyOf([exchange(createRequest(), created(cart))], { storedCarts: [cart] }), [EXISTS]);
  });

  test('that retrieved a cart otherwise than it is stored', () => {
    const cart = givenCart();
    const stored = [{ ...cart, meta: { ...cart.meta, added: 'later' } }];
    const history = historyOf(
      [exchange(createRequest(), created(cart)), exchange(retrieveRequest(cart.id), retrieved(cart))],
      { storedCarts: stored },
    );
    expectRules(history, [EXISTS]);
  });

  test('that did not find a cart that it had answered 201', () => {
    const cart = givenCart();
    const history = historyOf(
      [exchange(createRequest(), created(cart)), exchange(retrieveRequest(cart.id), refused('cartNotFound'))],
      { storedCarts: [cart] },
    );
    expectRules(history, [SHAPE]);
  });

  test('whose one request made two carts', () => {
    const [cart, twin] = [givenCart(), givenCart()];
    const history = historyOf([exchange(createRequest(), created(cart))], { storedCarts: [cart, twin] });
    expectRules(history, ['one request makes one cart']);
  });

  test('that made a cart for a request that it refused', () => {
    const history = historyOf([exchange(createRequest(), refused('rateLimited'))], {
      storedCarts: [givenCart()],
    });
    expectRules(history, ['no cart is made that was refused or not asked for']);
  });
});

describe('idempotency: found guilty is a history', () => {
  const request = createRequest({ idempotencyKey: 'order-1' });

  test('whose idempotency key named two carts', () => {
    const [first, second] = [givenCart(), givenCart()];
    const history = historyOf([exchange(request, created(first)), exchange(request, replayed(second))], {
      storedCarts: [first, second],
    });
    expectRules(history, [
      'one request makes one cart',
      'no idempotency key names two carts',
      'a replay answers the same cart',
    ]);
  });

  test('whose replay answered the cart otherwise', () => {
    const cart = givenCart();
    const later = { ...cart, updatedAtMs: START_MS + 1 };
    const history = historyOf([exchange(request, created(cart)), exchange(request, replayed(later))], {
      storedCarts: [cart],
    });
    expectRules(history, [EXISTS, 'a replay answers the same cart']);
  });

  test('that answered two requests as if each had made the cart', () => {
    const cart = givenCart();
    const history = historyOf([exchange(request, created(cart)), exchange(request, created(cart))], {
      storedCarts: [cart],
    });
    expectRules(history, ['at most one answer of an idempotency key is no replay']);
  });

  test('whose idempotency key took two payloads', () => {
    const cart = givenCart();
    const other = { ...request, payload: 'payload-2' };
    const history = historyOf([exchange(request, created(cart)), exchange(other, replayed(cart))], {
      storedCarts: [cart],
    });
    expectRules(history, ['no idempotency key takes two payloads']);
  });

  test('that refused a retry as another request', () => {
    const cart = givenCart();
    const history = historyOf(
      [exchange(request, created(cart)), exchange(request, refused('idempotencyKeyReused'))],
      { storedCarts: [cart] },
    );
    expectRules(history, ['a retry is not refused as another request']);
  });

  test('that answered a replay to a request without idempotency key', () => {
    const cart = givenCart();
    const history = historyOf([exchange(createRequest(), replayed(cart))], { storedCarts: [cart] });
    expectRules(history, ['only a request with an idempotency key is answered by a replay']);
  });

  test('only within one API key', () => {
    const [first, second] = [givenCart(), givenCart({ meta: { marker: 'request-2' } })];
    const other = { ...request, keyName: 'other', marker: 'request-2', payload: 'payload-2' };
    const { keys } = historyOf([]);
    const history = historyOf([exchange(request, created(first)), exchange(other, created(second))], {
      storedCarts: [first, second],
      keys: new Map([...keys, ['other', keys.get('key')!]]),
    });
    expectRules(history, []);
  });
});

describe('answers: found guilty is a history', () => {
  const broken = (changes: object) => ({ ...refused('serviceUnavailable'), ...changes });
  const expectResponseRules = (answer: ReturnType<typeof refused>, rules: readonly string[]): void => {
    expectRules(historyOf([exchange(createRequest(), answer)], { faults: [] }), rules);
  };

  test('with an internal error', () => {
    expectResponseRules(refused('internal'), [SHAPE, NO_FAULT]);
  });

  test('with a good key that was called unknown', () => {
    expectResponseRules(refused('invalidApiKey'), [SHAPE]);
  });

  test('with a good product that was called unknown', () => {
    expectResponseRules(refused('invalidProduct'), [SHAPE]);
  });

  test('with an idempotency key called reused that was never sent', () => {
    expectResponseRules(refused('idempotencyKeyReused'), [SHAPE]);
  });

  test('with an unknown key that was called too fast', () => {
    const request = createRequest({ keyName: 'unknown', expects: 'invalidApiKey' });
    expectRules(historyOf([exchange(request, refused('rateLimited'))]), [SHAPE]);
  });

  test('with a 503 that has another code, or no message', () => {
    const { message } = API_ERRORS.serviceUnavailable;
    const violations = [{ code: 'OOPS', message }, { code: 'SERVICE_UNAVAILABLE' }].map((body) =>
      checkHistory(historyOf([exchange(createRequest(), broken({ body }))])).filter(
        ({ rule }) => rule === SHAPE,
      ),
    );
    for (const found of violations) expect(found).not.toEqual([]);
  });

  test.for(['serviceUnavailable', 'rateLimited'] as const)('with %s that lacks its Retry-After', (kind) => {
    const answer = refused(kind);
    const { 'retry-after': _, ...headers } = answer.headers;
    const found = checkHistory(historyOf([exchange(createRequest(), { ...answer, headers })]));
    expect(found.map(({ detail }) => detail)).toContain('has no Retry-After of at least 1');
  });

  test('with a 429 that lacks its rate limit', () => {
    const answer = refused('rateLimited');
    const { 'x-ratelimit-reset': _, ...headers } = answer.headers;
    const found = checkHistory(historyOf([exchange(createRequest(), { ...answer, headers })]));
    expect(found.map(({ detail }) => detail)).toContain('has no x-ratelimit-reset');
  });

  test('with an answer that took more than 5 s, and none that took as much', () => {
    const rules = [5_000, 5_001].map((durationMs) =>
      checkHistory(historyOf([exchange(createRequest(), refused('rateLimited'), { durationMs })])).map(
        ({ rule }) => rule,
      ),
    );
    expect(rules).toStrictEqual([[], ['every answer comes within 5000 ms']]);
  });
});
