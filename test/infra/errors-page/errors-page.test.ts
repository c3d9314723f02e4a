import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ERRORS, exampleBody } from '../../../infra/contract/errors.ts';
import { ERRORS_PAGE_HEADERS, errorsPage } from '../../../infra/errors-page/errors-page.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../lib/http/errors.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { givenService } from '../../support/service/service.ts';

const PAGE = errorsPage();

/** The sections of the page by their codes. */
const SECTIONS = new Map(
  [...PAGE.matchAll(/<section id="(\w+)" class="error">(.+?)<\/section>/gs)].map(
    ([, id = '', content = '']) => [id, content],
  ),
);

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'");

test('each code is in the contents, and has one section with its causes and the next step', () => {
  const contents = [...PAGE.matchAll(/<li><a href="&num;(\w+)">/g)].map(([, code]) => code);
  expect(contents).toStrictEqual([...SECTIONS.keys()]);
  expect(new Set(contents)).toStrictEqual(new Set(Object.values(API_ERRORS).map(({ code }) => code)));
  for (const [code, section] of SECTIONS) {
    expect(section, code).toMatch(/<ul class="causes"><li>/);
    expect(section, code).toMatch(/<h3>The fix<|&num;retry"|Report it to us/);
  }
});

test('each section has the response and the meaning of each of its errors', () => {
  for (const [kind, { status, code }] of Object.entries(API_ERRORS)) {
    const section = SECTIONS.get(code) ?? '';
    const { remedy } = ERRORS[kind as ApiErrorKind];
    expect(textOf(section)).toContain(remedy.replaceAll('`', ''));
    const responses = [...section.matchAll(/<code>HTTP\/1.1 (\d+)\n\n(.+?)<\/code>/gs)].map(
      ([, shown, body = '']) => ({ status: Number(shown), body: JSON.parse(textOf(body)) as unknown }),
    );
    expect(responses).toContainEqual({ status, body: exampleBody(kind as ApiErrorKind) });
  }
});

test('the details of the examples are those that the service sends', async () => {
  const service = await givenService();
  const apiKey = await service.givenKey();
  const productDocumentId = await service.givenProduct();
  const detailsOf = (kind: ApiErrorKind) => exampleBody(kind)['details'];
  const body = (changes: object) => ({ ...JSON.parse(cartBody(productDocumentId)), ...changes });
  const create = async (changes: object, headers = {}) => {
    const response = await service.createCart(JSON.stringify(body(changes)), { apiKey, headers });
    return response.body['details'];
  };
  const headers = { 'Idempotency-Key': 'attempt-1' };
  await create({ email: 'ada@example.com' }, headers);

  expect(await create({ redirectUrl: 'https://shop.example', email: 'ada' })).toStrictEqual(
    detailsOf('invalidPayload'),
  );
  expect(await create({}, { Authorization: apiKey })).toStrictEqual(detailsOf('invalidApiKey'));
  expect(await create({ email: 'ada@example.org' }, headers)).toStrictEqual(
    detailsOf('idempotencyKeyReused'),
  );
});

test('the remedy is a retry exactly if a client can retry the status', () => {
  for (const [kind, { remedy }] of Object.entries(ERRORS)) {
    const { status } = API_ERRORS[kind as ApiErrorKind];
    expect(remedy.startsWith('Retry'), kind).toBe([408, 429].includes(status) || status >= 500);
  }
});

test('no character of the page has a meaning in a template of API Gateway, or in a header of it', () => {
  expect(PAGE).not.toMatch(/[#$]/);
  expect(Object.values(ERRORS_PAGE_HEADERS).join()).not.toContain("'");
});

test('the page loads nothing, and allows its own style and icon alone', () => {
  const [, style = ''] = /<style>(.+)<\/style>/s.exec(PAGE) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(PAGE) ?? [];
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(PAGE).not.toMatch(/<script|<img|<link (?!rel="icon" href="data:)|\bsrc=|@import|url\(|style=/);
});
