import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ERRORS } from '../../../infra/contract/errors.ts';
import { ERRORS_PAGE_HEADERS, errorsPage } from '../../../infra/errors-page/errors-page.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../lib/http/errors.ts';

const PAGE = errorsPage();

/** The sections of the page by their ids. */
const SECTIONS = new Map(
  [...PAGE.matchAll(/<section id="(\w+)">(.+?)<\/section>/gs)].map(([, id, content]) => [id, content]),
);

test('each code has one section, with the status, the message and the remedy of each of its errors', () => {
  const errors = Object.values(API_ERRORS);
  expect(new Set(SECTIONS.keys())).toStrictEqual(new Set(errors.map(({ code }) => code)));
  for (const { status, code, message } of errors) {
    expect(SECTIONS.get(code)).toContain(`<strong>${status}</strong> “${message}”`);
  }
  for (const [code, content] of SECTIONS) {
    const count = errors.filter((error) => error.code === code).length;
    expect(content?.match(/<p>[^“]+\. (?:Fix|Retry|Report)\b[^]*?<\/p>/g)).toHaveLength(count);
  }
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
