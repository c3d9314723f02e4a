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
  answeredAtSeconds,
  expectResponse,
  expectRejection,
  expectSameBytes,
  rateLimitOf,
} from './support/expectations.ts';
import { given } from './support/inputs.ts';

for (const apiKey of given(inputs.smallLimitApiKey)) {
  const options = { apiKey };

  /** One request of each kind that is refused for its content, but not for its key. */
  const REJECTED: [status: number, request: () => Promise<ApiResponse>][] = [
    [422, () => createCartOnce('no JSON', options)],
    [400, () => createCartOnce(cartBody({ productDocumentId: 'no-store-has-this-product' }), options)],
    [404, () => getCartOnce(randomUUID(), options)],
  ];

  /** Spends what the bucket holds; returns all answers, of which the last is the refusal. */
  const exhaust = async (): Promise<ApiResponse[]> => {
    const answers: ApiResponse[] = [];
    for (;;) {
      const [status, request] = REJECTED[answers.length % REJECTED.length]!;
      const answer = await request();
      answers.push(answer);
      if (answer.status === 429) return answers;
      expectResponse(answer, status);
      // A bucket gains next to nothing meanwhile.
      expect(answers.length).toBeLessThanOrEqual(rateLimitOf(answer).limit);
    }
  };

  describe('a key with a small limit', () => {
    it('is spent token by token by invalid requests too, down to none, then refused with 429', async () => {
      const answers = await exhaust();

      expectRejection(answers.at(-1)!, 'rateLimited');
      const remaining = answers.map((answer) => rateLimitOf(answer).remaining);
      const spent = answers.length - 1;
      expect(remaining).toStrictEqual([...Array.from({ length: spent }, (_, index) => spent - 1 - index), 0]);
      expect(new Set(answers.map((answer) => rateLimitOf(answer).limit)).size).toBe(1);
      if (spent === 0)
        console.log('Not checked: what a request costs (SMALL_LIMIT_API_KEY was empty already)');
    });

    it('is told when the next token comes, and when all are back', async () => {
      const answer = (await exhaust()).at(-1)!;

      const { reset, limit } = rateLimitOf(answer);
      const retryAfter = Number(answer.headers['retry-after']);
      // All tokens come back at the pace of one. `Retry-After` is rounded up; gateway and function may differ by seconds.
      expect(reset - answeredAtSeconds(answer)).toBeGreaterThanOrEqual(limit * (retryAfter - 1) - 5);
    });

    it('is refused with 429 whatever it asks for, before its payload, product or cart is looked at', async () => {
      await exhaust();
      const answers = [
        ...(await Promise.all(REJECTED.map(async ([, request]) => request()))),
        await createCartOnce(cartBody(), options),
        await createCartOnce('', { apiKey, headers: { 'Content-Type': undefined } }),
      ];

      for (const answer of answers) expectRejection(answer, 'rateLimited');
      expectSameBytes(answers);
    });

    it('spends nothing on a refusal', async () => {
      const first = (await exhaust()).at(-1)!;
      const later = (await exhaust()).at(-1)!;

      expect(rateLimitOf(later)).toStrictEqual(rateLimitOf(first));
    });

    it('is still refused with 401 under another scheme', async () => {
      await exhaust();
      const headers = { Authorization: `Basic ${apiKey}`, 'Content-Type': 'application/json' };

      expectRejection(await send('POST', CHECKOUT, headers, '{}'), 'invalidApiKey');
    });
  });
}

it('the limit is one for both operations', async () => {
  const answers = [await createCart('no JSON'), await getCart(randomUUID())];

  expect(new Set(answers.map((answer) => rateLimitOf(answer).limit)).size).toBe(1);
});
