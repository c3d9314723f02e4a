import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  cartBody,
  CHECKOUT,
  createCart,
  createCartOnce,
  getCart,
  getCartOnce,
  inputs,
  send,
} from './support/client.ts';
import {
  expectRejection,
  expectResponse,
  expectSameBytes,
  rateLimitOf,
  respondedAtSeconds,
} from './support/expectations.ts';
import { given } from './support/inputs.ts';

for (const apiKey of given(inputs.smallLimitApiKey)) {
  const options = { apiKey };

  /** Requests with a valid key that are rejected for another reason. */
  const REJECTED: [status: number, request: () => Promise<ApiResponse>][] = [
    [422, () => createCartOnce('no JSON', options)],
    [400, () => createCartOnce(cartBody({ productDocumentId: 'no-store-has-this-product' }), options)],
    [404, () => getCartOnce(randomUUID(), options)],
  ];

  /** Spends all tokens; returns all responses, of which the last is the 429. */
  const exhaust = async (): Promise<ApiResponse[]> => {
    const responses: ApiResponse[] = [];
    for (;;) {
      const [status, request] = REJECTED[responses.length % REJECTED.length]!;
      const response = await request();
      responses.push(response);
      if (response.status === 429) return responses;
      expectResponse(response, status);
      // Within one run, hardly any token comes back.
      expect(responses.length).toBeLessThanOrEqual(rateLimitOf(response).limit);
    }
  };

  describe('a key with a small limit', () => {
    it('loses one token per request, invalid ones included, and is then rejected with 429', async () => {
      const responses = await exhaust();
      expectRejection(responses.at(-1)!, 'rateLimited');
      const spent = responses.length - 1;
      expect(responses.map((response) => rateLimitOf(response).remaining)).toStrictEqual([
        ...Array.from({ length: spent }, (_, index) => spent - 1 - index),
        0,
      ]);
      expect(new Set(responses.map((response) => rateLimitOf(response).limit)).size).toBe(1);
      if (spent === 0)
        console.log('Not checked: the cost of a request (SMALL_LIMIT_API_KEY had no tokens left)');
    });

    it('receives the time of the next token and the time of a full bucket', async () => {
      const response = (await exhaust()).at(-1)!;
      const { reset, limit } = rateLimitOf(response);
      const retryAfter = Number(response.headers['retry-after']);
      // All tokens take `limit` times as long as one. `Retry-After` is rounded up. Clocks may differ by seconds.
      expect(reset - respondedAtSeconds(response)).toBeGreaterThanOrEqual(limit * (retryAfter - 1) - 5);
    });

    it('is rejected with 429 whatever its payload, product or cart', async () => {
      await exhaust();
      const responses = [
        ...(await Promise.all(REJECTED.map(async ([, request]) => request()))),
        await createCartOnce(cartBody(), options),
        await createCartOnce('', { apiKey, headers: { 'Content-Type': undefined } }),
      ];
      for (const response of responses) expectRejection(response, 'rateLimited');
      expectSameBytes(responses);
    });

    it('spends nothing on a 429', async () => {
      const first = (await exhaust()).at(-1)!;
      const later = (await exhaust()).at(-1)!;
      expect(rateLimitOf(later)).toStrictEqual(rateLimitOf(first));
    });

    it('is rejected with 401 under another scheme', async () => {
      await exhaust();
      const headers = { Authorization: `Basic ${apiKey}`, 'Content-Type': 'application/json' };
      expectRejection(await send('POST', CHECKOUT, headers, '{}'), 'invalidApiKey');
    });
  });
}

it('both operations share one limit', async () => {
  const responses = [await createCart('no JSON'), await getCart(randomUUID())];
  expect(new Set(responses.map((response) => rateLimitOf(response).limit)).size).toBe(1);
});
