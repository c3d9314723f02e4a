import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/http/errors.ts';
import type { PageErrorKind } from '../../../lib/sandbox/page-errors.ts';
import { TRANSLATIONS } from '../../../lib/sandbox/translations.ts';
import { OUTAGES, THROTTLES } from '../../support/faulty-service.ts';
import { givenSandbox, type PageResponse, type TestSandbox, textOf } from './sandbox.ts';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await givenSandbox();
});

/** An answer without what tells every two answers apart. */
const comparable = ({ status, headers: { 'x-request-id': requestId, ...headers }, body }: PageResponse) => {
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  return { status, headers, body };
};

describe('404', () => {
  const givenStrangers = async (): Promise<string[]> => [
    randomUUID(),
    'not-a-uuid',
    '__proto__',
    `${randomUUID()} `,
    '../carts',
    await sandbox.givenCart({ mode: 'live' }),
  ];

  it('is the same bytes for unknown, malformed and live carts, whether shown or paid', async () => {
    const answers = [];
    for (const id of await givenStrangers()) {
      answers.push(await sandbox.show(id), await sandbox.submit(id, 'action=pay'));
      answers.push(await sandbox.show(id, { query: { notice: 'wrong_amount' } }));
    }
    const [first, ...others] = answers.map(comparable);
    expect(first?.status).toBe(404);
    expect(first?.body).toContain('<h1>No such checkout</h1>');
    for (const other of others) expect(other).toStrictEqual(first);
  });

  it('never changes a live cart, whatever the action', async () => {
    const id = await sandbox.givenCart({ mode: 'live' });
    const before = await sandbox.stored(id);
    for (const action of ['pay', 'decline', 'leave', 'pay_late', 'pay_twice', 'out_of_order', 'wrong_amount'])
      expect((await sandbox.submit(id, `action=${action}`)).status).toBe(404);
    expect(await sandbox.stored(id)).toStrictEqual(before);
  });

  it('refuses a malformed form the same way for every cart', async () => {
    const answers = [];
    for (const id of [...(await givenStrangers()), await sandbox.givenCart()])
      answers.push(comparable(await sandbox.submit(id, 'action=refund')));
    for (const answer of answers) expect(answer).toStrictEqual(answers[0]);
    expect(answers[0]?.status).toBe(422);
  });

  it("is in French for a browser that asks for it, since there is no buyer's language", async () => {
    const headers = { 'ACCEPT-LANGUAGE': 'fr-CH, fr;q=0.9, en;q=0.8' };
    const answer = await sandbox.show(randomUUID(), { headers });
    expect(answer.headers['content-language']).toBe('fr');
    expect(answer.body).toContain('<h1>Paiement introuvable</h1>');
  });

  it('is for a cart that its time to live deleted while the buyer paid', async () => {
    let reads = 0;
    const vanishing = await givenSandbox((carts) => ({
      carts: {
        find: async (cartId, signal) => {
          reads += 1;
          return reads === 1 ? carts.find(cartId, signal) : undefined;
        },
      },
    }));
    expect((await vanishing.submit(await vanishing.givenCart(), 'action=pay')).status).toBe(404);
  });
});

describe('a database that is slow or down', () => {
  it.each(Object.entries({ ...THROTTLES, ...OUTAGES }))(
    'is a page 503 that says when to come back: %s',
    async (_what, fail) => {
      const broken = await givenSandbox(() => ({ carts: { find: () => Promise.reject(fail()) } }));
      for (const answer of [
        await broken.show(randomUUID()),
        await broken.submit(randomUUID(), 'action=pay'),
      ]) {
        expect(answer.status).toBe(503);
        expect(answer.headers['retry-after']).toBe('1');
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(answer.body).toContain('<h1>Please try again</h1>');
        expect(answer.body).not.toContain(fail().message);
      }
    },
  );

  it('is a page 503 while a payment is saved, too', async () => {
    const broken = await givenSandbox(() => ({
      payments: { save: () => Promise.reject(OUTAGES.timeout()) },
    }));
    const id = await broken.givenCart();
    expect((await broken.submit(id, 'action=pay')).status).toBe(503);
    expect((await broken.submit(id, 'action=leave')).status).toBe(303);
  });
});

describe('anything unforeseen', () => {
  it('is a page 500 with no internals and the headers of every page', async () => {
    const broken = await givenSandbox(() => ({
      carts: { find: () => Promise.reject(new TypeError('secret of the table carts-7')) },
    }));
    const answer = await broken.show(randomUUID());
    expect(answer.status).toBe(500);
    expect(answer.body).toContain('<h1>Something went wrong</h1>');
    expect(answer.body).not.toMatch(/secret|TypeError|carts-7|at \w+ \(/);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("form-action 'none'"),
      'x-robots-tag': 'noindex',
    });
    expect(answer.headers).not.toHaveProperty('retry-after');
  });

  it('cannot be an id that two payments share', async () => {
    const broken = await givenSandbox(() => ({ newId: () => '4d2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5' }));
    const id = await broken.givenCart();
    expect((await broken.submit(id, 'action=pay')).status).toBe(303);
    expect((await broken.submit(id, 'action=decline')).status).toBe(500);
  });
});

describe('the page of an error', () => {
  const THROWN: Readonly<Record<PageErrorKind, () => Error>> = {
    cartNotFound: () => new ApiError('cartNotFound'),
    invalidPayload: () => new ApiError('invalidPayload'),
    serviceUnavailable: OUTAGES.timeout,
    internal: () => new TypeError('secret'),
  };
  const KINDS = Object.keys(THROWN) as PageErrorKind[];

  it.each(KINDS.flatMap((kind) => (['en', 'fr'] as const).map((language) => [kind, language] as const)))(
    'says what is wrong, leads back to the checkout if there is one, and has nothing more: %s, %s',
    async (kind, language) => {
      const broken = await givenSandbox(() => ({ carts: { find: () => Promise.reject(THROWN[kind]()) } }));
      const answer = await broken.show(randomUUID(), { headers: { 'Accept-Language': language } });
      const { title, testMode, noMoneyMoves, errors, toCheckout } = TRANSLATIONS[language];
      const { heading, text } = errors[kind];
      const wayBack = kind === 'cartNotFound' ? [] : [toCheckout];
      const told = [`${heading} – ${title}`, testMode, noMoneyMoves, heading, text, ...wayBack].join(' ');
      expect(textOf(answer)).toBe(told.replaceAll('\u00A0', ' '));
      expect(answer.body.match(/<a .*?>/g) ?? []).toStrictEqual(
        wayBack.map(() => '<a class="button" href="">'),
      );
      expect(answer.body).not.toContain('<footer>');
    },
  );
});
