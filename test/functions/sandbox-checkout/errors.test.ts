import { randomUUID } from 'node:crypto';
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../functions/sandbox-checkout/actions.ts';
import type { PageErrorKind } from '../../../functions/sandbox-checkout/error-pages.ts';
import { TRANSLATIONS } from '../../../functions/sandbox-checkout/texts/translations.ts';
import { ApiError } from '../../../lib/http/errors.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { OUTAGES, THROTTLES } from '../../support/service/faulty-service.ts';
import { givenSandbox, type PageResponse, type TestSandbox, textOf } from './sandbox.ts';

const database = await givenDatabase();
const sandbox = await givenSandbox(undefined, database);

/** A sandbox whose reads of carts fail. */
const givenBrokenSandbox = (fail: () => Error): Promise<TestSandbox> =>
  givenSandbox(() => ({ carts: { find: () => Promise.reject(fail()) } }), database);

/** A response without its request id. */
const comparable = ({ status, headers: { 'x-request-id': requestId, ...headers }, body }: PageResponse) => {
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  return { status, headers, body };
};

/** Expects responses that differ in their request ids only. */
const expectSame = (responses: readonly PageResponse[]): void => {
  const [first, ...others] = responses.map(comparable);
  for (const other of others) expect(other).toStrictEqual(first);
};

describe('403', () => {
  const HOST = 'abc123.execute-api.eu-west-1.amazonaws.com';
  const submit = async (headers: Record<string, string>) => {
    const id = await sandbox.givenCart();
    const sent = { 'Content-Type': 'application/x-www-form-urlencoded', Host: HOST, ...headers };
    const response = await sandbox.submit(id, 'action=pay', { headers: sent });
    return { response, isPaid: (await sandbox.stored(id)).status === 'completed' };
  };

  it.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', Origin: `https://${HOST}` },
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
    { Origin: `https://evil.example/${HOST}` },
    { Origin: `https://${HOST}.evil.example` },
    { Origin: `https://evil.${HOST}` },
    { Origin: `https://${HOST}:8443` },
    { Origin: 'null' },
    { Origin: '' },
    { Host: '127.0.0.1:3000', Origin: 'http://127.0.0.1:8080' },
  ])('is the response to a form of another site, which changes nothing: %j', async (headers) => {
    const { response, isPaid } = await submit(headers);
    expect(response.status).toBe(403);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.body).toContain('<h1>Blocked</h1>');
    expect(isPaid).toBe(false);
  });

  it.each([
    {},
    { 'Sec-Fetch-Site': 'same-origin', Origin: `https://${HOST}` },
    { 'Sec-Fetch-Site': 'none' },
    { ORIGIN: `https://${HOST}`, Host: HOST.toUpperCase() },
    { Host: '127.0.0.1:3000', Origin: 'http://127.0.0.1:3000' },
  ])(
    "is not the response to the page's own form, nor to a client that is no browser: %j",
    async (headers) => {
      const { response, isPaid } = await submit(headers);
      expect(response.status).toBe(303);
      expect(isPaid).toBe(true);
    },
  );

  it('is not the response to a link of another site', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', Host: HOST };
    expect((await sandbox.show(await sandbox.givenCart(), { headers })).status).toBe(200);
  });

  it('comes first: it is the same for every cart and form', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    const responses = [];
    for (const id of [randomUUID(), 'not-a-uuid', await sandbox.givenCart()])
      responses.push(await sandbox.submit(id, 'action=pay_back', { headers }));
    expectSame(responses);
    expect(responses[0]?.status).toBe(403);
  });
});

describe('404', () => {
  const givenUnknownIds = async (): Promise<string[]> => [
    randomUUID(),
    'not-a-uuid',
    '__proto__',
    `${randomUUID()} `,
    '../carts',
    await sandbox.givenCart({ mode: 'live' }),
  ];

  it('is the same for unknown, malformed and live carts, for both methods', async () => {
    const responses = [];
    for (const id of await givenUnknownIds()) {
      responses.push(await sandbox.show(id), await sandbox.submit(id, 'action=pay'));
      responses.push(await sandbox.show(id, { query: { notice: 'wrong_amount' } }));
    }
    expectSame(responses);
    expect(responses[0]?.status).toBe(404);
    expect(responses[0]?.body).toContain('<h1>Checkout not found</h1>');
  });

  it('never changes a live cart, whatever the action', async () => {
    const id = await sandbox.givenCart({ mode: 'live' });
    const before = await sandbox.stored(id);
    for (const action of ACTIONS) expect((await sandbox.submit(id, `action=${action}`)).status).toBe(404);
    expect(await sandbox.stored(id)).toStrictEqual(before);
  });

  it('comes after 422: a malformed form has the same response for every cart', async () => {
    const responses = [];
    for (const id of [...(await givenUnknownIds()), await sandbox.givenCart()])
      responses.push(await sandbox.submit(id, 'action=pay_back'));
    expectSame(responses);
    expect(responses[0]?.status).toBe(422);
  });

  it('is the response for a cart that TTL deletes during the payment', async () => {
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

describe('503', () => {
  it.each(Object.entries({ ...THROTTLES, ...OUTAGES }))(
    'is a page with Retry-After while the database is slow or down: %s',
    async (_, fail) => {
      const broken = await givenBrokenSandbox(fail);
      for (const response of [
        await broken.show(randomUUID()),
        await broken.submit(randomUUID(), 'action=pay'),
      ]) {
        expect(response.status).toBe(503);
        expect(response.headers).toMatchObject({
          'retry-after': '1',
          'content-type': 'text/html; charset=utf-8',
        });
        expect(response.body).toContain('<h1>Please try again</h1>');
        expect(response.body).not.toContain(fail().message);
      }
    },
  );

  const cancelled = (Code: string) => (): Error =>
    new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons: [{ Code }] });
  it.each([
    ['a timeout', OUTAGES.timeout],
    ['a throttled table', cancelled('ThrottlingError')],
    ['a throttled claim', cancelled('ProvisionedThroughputExceeded')],
    [
      'an earlier attempt that still runs',
      () => new TransactionInProgressException({ message: '', $metadata: {} }),
    ],
  ])('is the response when a payment cannot be saved: %s', async (_, fail) => {
    const broken = await givenSandbox(
      () => ({ paymentRecords: { save: () => Promise.reject(fail()) } }),
      database,
    );
    const id = await broken.givenCart();
    expect((await broken.submit(id, 'action=pay')).status).toBe(503);
    expect((await broken.submit(id, 'action=leave')).status).toBe(303);
  });
});

describe('500', () => {
  it('is a page with the usual headers and nothing internal', async () => {
    const broken = await givenBrokenSandbox(() => new TypeError('secret of the table carts-7'));
    const { status, headers, body } = await broken.show(randomUUID());
    expect(status).toBe(500);
    expect(body).toContain('<h1>Something went wrong</h1>');
    expect(body).not.toMatch(/secret|TypeError|carts-7|at \w+ \(/);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("form-action 'none'"),
      'x-robots-tag': 'noindex',
    });
    expect(headers).not.toHaveProperty('retry-after');
  });

  it('is the response if two payments get the same id', async () => {
    const broken = await givenSandbox(() => ({ newId: () => '4d2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5' }));
    const id = await broken.givenCart();
    expect((await broken.submit(id, 'action=pay')).status).toBe(303);
    expect((await broken.submit(id, 'action=decline')).status).toBe(500);
  });
});

describe('the page of an error', () => {
  const THROWN: Readonly<Record<PageErrorKind, () => Error>> = {
    cartNotFound: () => new ApiError('cartNotFound'),
    forbidden: () => new ApiError('forbidden'),
    invalidPayload: () => new ApiError('invalidPayload'),
    rateLimited: () => new ApiError('rateLimited'),
    serviceUnavailable: OUTAGES.timeout,
    internal: () => new TypeError('secret'),
  };
  const KINDS = Object.keys(THROWN) as PageErrorKind[];

  it.each(KINDS.flatMap((kind) => (['en', 'fr'] as const).map((language) => [kind, language] as const)))(
    'has a text for the buyer, a link to an existing checkout, and its causes for developers: %s, %s',
    async (kind, language) => {
      const broken = await givenBrokenSandbox(THROWN[kind]);
      const page = await broken.show(randomUUID(), { headers: { 'Accept-Language': language } });
      const { title, testMode, noMoneyMoves, errors, toCheckout, developers, ...texts } =
        TRANSLATIONS[language];
      const { heading, text } = errors[kind];
      const wayBack = kind === 'cartNotFound' ? [] : [toCheckout];
      const place = [texts.stage, 'test', texts.mode, texts.testCartsOnly];
      const causes =
        kind === 'cartNotFound' || kind === 'invalidPayload'
          ? [developers.heading, ...place, ...Object.values(developers[kind])]
          : [];
      const banner = [`${heading} – ${title}`, testMode, noMoneyMoves];
      const shown = [...banner, heading, text, ...wayBack, ...causes].join(' ');
      expect(textOf(page)).toBe(shown.replaceAll('\u00A0', ' '));
      expect(page.body.match(/<a .*?>/g) ?? []).toStrictEqual(
        wayBack.map(() => '<a class="button" href="">'),
      );
      expect(page.headers['content-language']).toBe(language);
      expect(page.body).not.toMatch(/<footer|<script|<form/);
      expect(page.headers['content-security-policy']).not.toContain('script-src');
    },
  );
});
