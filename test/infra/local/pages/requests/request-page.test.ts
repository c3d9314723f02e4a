import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { ServedRequest } from '../../../../../infra/local/gateway/gateway.ts';
import { highlight } from '../../../../../infra/local/pages/parts/code.ts';
import { replayOf } from '../../../../../infra/local/pages/requests/request-page.ts';
import { createRequestLog } from '../../../../../infra/local/requests/request-log.ts';
import { givenGateway, sendAs } from '../../../../support/http/gateway-client.ts';
import { isTested } from '../../../../support/programs/tested-languages.ts';
import { givenDashboard, SERVED, textOf } from '../pages.ts';

const ID = SERVED.requestId;

test('the page of a request shows the reason, both messages with all headers, and its duration', async () => {
  const { requests, text } = await givenDashboard();
  requests.add({
    ...SERVED,
    method: 'POST',
    target: '/api/v1/stores/cart/checkout?a=<1>',
    rawHeaders: ['Authorization', 'Bearer cck_test_key', 'Content-Type', 'application/json'],
    body: Buffer.from('{"redirectUrl":1}'),
    response: {
      status: 422,
      headers: [['X-Request-Id', ID]],
      body: '{"code":"VALIDATION_ERROR","details":[{"path":"redirectUrl","message":"Unknown field"}]}',
    },
  });
  const html = await text(`/requests/${ID}`);
  const shown = textOf(html.replaceAll('&quot;', '"').replaceAll('&lt;', '‹').replaceAll('&gt;', '›'));
  for (const each of [
    'POST /api/v1/stores/cart/checkout?a=‹1›',
    'VALIDATION_ERROR redirectUrl: Unknown field',
    'Bearer cck_test_key',
    '{\n  "redirectUrl": 1\n}',
    '17 bytes',
    `X-Request-Id${ID}`,
    '5 ms',
  ])
    expect(shown).toContain(each);
  expect(html).toContain('href="/errors#VALIDATION_ERROR"');
});

test('the page says whether the stage has read the body, and whether it has kept all of it', async () => {
  const { requests, text } = await givenDashboard();
  requests.add({ ...SERVED, body: undefined });
  expect(await text(`/requests/${ID}`)).toContain('The stage responded without reading the body.');
  requests.add({ ...SERVED, body: Buffer.alloc(200_000, 'a') });
  expect(await text(`/requests/${ID}`)).toContain('200,000 bytes, of which these are the first');
});

test('a body that no command can have, or that could end its paste, is not sent again', async () => {
  const { requests, text } = await givenDashboard();
  for (const body of [Buffer.from([0xff, 0xfe]), Buffer.from('a\0'), Buffer.from('\u001B[201~\nid\n')]) {
    requests.add({ ...SERVED, body });
    expect(await text(`/requests/${ID}`)).toContain('The body is no text.');
  }
});

test('a program sends a request to the stage, whatever origin its target names', () => {
  const urls = ['http://other.example/a?b', 'file:///etc/hosts', '*'].map((target) => {
    const request = createRequestLog().add({ ...SERVED, target });
    return replayOf(request, 'http://127.0.0.1:3000').curl;
  });
  expect(urls).toStrictEqual(
    ['a?b', 'etc/hosts', '*'].map((path) => `curl -i -X GET 'http://127.0.0.1:3000/${path}'`),
  );
});

test('the page shows deep JSON as it is, without indents that are many times its length', async () => {
  const { requests, text } = await givenDashboard();
  const body = '['.repeat(60_000) + ']'.repeat(60_000);
  requests.add({ ...SERVED, body: Buffer.from(body) });
  expect(textOf(await text(`/requests/${ID}`))).toContain(body);
});

// The search for an end that a text lacks, from each of its quotation marks, would take a minute for 128 KB.
test.each([String.raw`'\'\'a`, String.raw`"\"\"a`, '`\\`\\`a'])('%s without an end is one string', (text) => {
  expect(String(highlight(text)).match(/<span/g)).toHaveLength(1);
});

test('a request that the stage no longer has leads back', async () => {
  const { get } = await givenDashboard();
  const response = await get(`/requests/${ID}`);
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringContaining('A stage keeps its last 500 requests'),
  ]);
});

/** The languages of the samples, with the program that runs a file of each. */
const RUNNERS = { curl: 'sh', node: process.execPath, python: 'python3', php: 'php' } as const;

const LANGUAGES = (Object.keys(RUNNERS) as (keyof typeof RUNNERS)[]).filter((language) =>
  isTested(language, language === 'curl' ? 'curl' : RUNNERS[language]),
);

/** Each character that a shell or a literal interprets. */
const HOSTILE = `{"a":"it's \\"$HOME\\" \\\\ \${x} \`id\` %s é"}\n`;

test.each(LANGUAGES)('%s sends the request of its sample again', async (language) => {
  const reported: ServedRequest[] = [];
  const { baseUrl } = await givenGateway({}, { onServed: (served) => reported.push(served) });
  const target = "/api/v1/stores/cart/1/expire?a=it's&b={1,2}&c=[1-2]";
  const headers = {
    Authorization: 'Bearer key',
    'Content-Type': 'text/plain',
    'Idempotency-Key': `it's "1" $x`,
  };
  await sendAs(baseUrl + target, 'POST', headers, HOSTILE);

  const sample = replayOf(createRequestLog().add(reported[0]!), baseUrl)[language] ?? '';
  const file = join(
    mkdtempSync(join(tmpdir(), 'replay-')),
    `sample.${language === 'node' ? 'mjs' : language}`,
  );
  writeFileSync(file, sample);
  await promisify(execFile)(RUNNERS[language], [file]);

  const [sent, again] = reported.map(({ method, target: address, body, rawHeaders }) => ({
    method,
    address,
    body: body?.toString(),
    headers: Object.keys(headers).map(
      (name) => rawHeaders[rawHeaders.findIndex((each) => each.toLowerCase() === name.toLowerCase()) + 1],
    ),
  }));
  expect(sent?.body).toBe(HOSTILE);
  expect(again).toStrictEqual(sent);
});
