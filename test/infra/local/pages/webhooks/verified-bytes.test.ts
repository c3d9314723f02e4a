import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { compareBytes } from '../../../../../infra/local/pages/webhooks/verified-bytes.ts';

const BODY =
  '{"id":"evt_1","data":{"name":"Zoé & <Co>","url":"https://shop.example/a","meta":{},"list":[1,49.9,null,true]}}';

/** The sentence of a client that verified this text. */
const rejectionOf = (text: string): string =>
  `No signature is valid for this secret and body. SHA-256 of the body: ${hash('sha256', text)}`;

const RAW = String.raw;

// The text that each language prints for the parsed body.
test.each([
  ['empty body', ''],
  ['parsed object', '[object Object]'],
  [
    'json.dumps of Python)',
    RAW`{"id": "evt_1", "data": {"name": "Zo\u00e9 & <Co>", "url": "https://shop.example/a", "meta": {}, "list": [1, 49.9, null, true]}}`,
  ],
  [
    'json.dumps of Python, without ASCII',
    '{"id": "evt_1", "data": {"name": "Zoé & <Co>", "url": "https://shop.example/a", "meta": {}, "list": [1, 49.9, null, true]}}',
  ],
  [
    'json_encode of PHP)',
    RAW`{"id":"evt_1","data":{"name":"Zo\u00e9 & <Co>","url":"https:\/\/shop.example\/a","meta":{},"list":[1,49.9,null,true]}}`,
  ],
  [
    'arrays for objects',
    RAW`{"id":"evt_1","data":{"name":"Zo\u00e9 & <Co>","url":"https:\/\/shop.example\/a","meta":[],"list":[1,49.9,null,true]}}`,
  ],
  [
    'a map of Go',
    RAW`{"data":{"list":[1,49.9,null,true],"meta":{},"name":"Zoé \u0026 \u003cCo\u003e","url":"https://shop.example/a"},"id":"evt_1"}`,
  ],
  ['an indent of 2', JSON.stringify(JSON.parse(BODY), undefined, 2)],
  ['a line break at the end', `${BODY}\n`],
  ['bytes that were sent, so its secret', BODY],
  ['other bytes', `${BODY} `],
])('the digest of the receiver shows the mistake: %s', (conclusion, verified) => {
  expect(compareBytes(BODY, rejectionOf(verified))).toStrictEqual({
    sent: hash('sha256', BODY),
    verified: hash('sha256', verified),
    conclusion: expect.stringContaining(conclusion),
  });
});

test('a digest may be in capitals, and part of a longer number is no digest', () => {
  const digest = hash('sha256', BODY);
  expect(compareBytes(BODY, digest.toUpperCase())?.conclusion).toContain('bytes that were sent, so');
  for (const response of [undefined, 'Bad signature', `${digest}0`, digest.slice(1)])
    expect(compareBytes(BODY, response)).toBeUndefined();
});
