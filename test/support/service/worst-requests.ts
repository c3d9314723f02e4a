import { BUYER } from '../secrets.ts';

/** A request that is as expensive as its size allows. */
interface WorstRequest {
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The largest body that the service reads. */
const BYTES_MAX = 128 * 1_024;

/** Just below what API Gateway lets through: 10,240 bytes of headers in all. */
const HEADER_BYTES = 9_500;

/** Repeats a part until the body is as large as the service reads. */
const fill = (start: string, part: string | ((index: number) => string), end: string): string => {
  const parts = [start];
  let bytesLeft = BYTES_MAX - Buffer.byteLength(start + end);
  for (let index = 0; ; index += 1) {
    const next = typeof part === 'string' ? part : part(index);
    bytesLeft -= Buffer.byteLength(next);
    if (bytesLeft < 0) return parts.join('') + end;
    parts.push(next);
  }
};

const valid = { productDocumentId: 'course', ...BUYER };
const open = JSON.stringify(valid).slice(0, -1);

/** A body with one field that is as long as the service reads. */
const field = (name: string, part: string, start = '', end = ''): string =>
  fill(`${open},"${name}":"${start}`, part, `${end}"}`);

/** A body with 50 entries of metadata, as large as the service reads. */
const fiftyEntries = (part: string, value: (text: string) => string): string => {
  const text = part.repeat(Math.floor((BYTES_MAX / 50 - 60) / Buffer.byteLength(part)));
  const entries = Array.from({ length: 50 }, (_, index) => `"${index}":${value(text)}`);
  return `${open},"meta":{${entries.join()}}}`;
};

/** Requests that cost much CPU time. Most are as large as the service reads. */
export const WORST_REQUESTS: Readonly<Record<string, WorstRequest>> = {
  'objects as metadata': {
    body: fill(`${open},"meta":{"":{}`, (index) => `,"${index.toString(36)}":{}`, '}}'),
  },
  'one entry of metadata, repeated': { body: fill(`${open},"meta":{"x":{}`, ',"x":{}', '}}') },
  'lone surrogates as metadata': {
    body: fill(`${open},"meta":{"":0`, (index) => `,"\\ud83d${index.toString(36)}":"\\ud83d"`, '}}'),
  },
  'numbers as keys of metadata': { body: fill(`${open},"meta":{"":0`, (index) => `,"${index}":0`, '}}') },
  'as many entries of metadata as 1,000 tokens allow': {
    body: `${open},"meta":{${Array.from({ length: 240 }, (_, index) => `"${index}":"${'x'.repeat(500)}"`).join()}}}`,
  },
  '50 long entries of metadata': { body: fiftyEntries('x', (text) => `"${text}"`) },
  '50 long keys of metadata': {
    body: `${open},"meta":{${fiftyEntries('x', (text) => `0,"${text}":0`).split('"meta":{')[1]!}`,
  },
  '50 entries of emojis': { body: fiftyEntries('\u{1F388}', (text) => `"${text}"`) },
  '50 entries of escapes': { body: fiftyEntries('\\u0000', (text) => `"${text}"`) },
  '50 entries of escaped lone surrogates': { body: fiftyEntries('\\ud83d', (text) => `"${text}"`) },
  '50 entries of long numbers': { body: fiftyEntries('9', (text) => text) },
  'an array of objects': { body: fill('{"a":[{}', ',{}', ']}') },
  'an array of numbers': { body: fill('[0', ',0', ']') },
  'unknown fields': { body: fill(open, (index) => `,"${index.toString(36)}":0`, '}') },
  'unknown fields with long names': {
    body: fill(open, (index) => `,"${index.toString(36).padEnd(40, 'redirectURL_')}":0`, '}'),
  },
  'misspelled fields': {
    body: `${open},${Array.from({ length: 20 }, (_, index) => `"redirect${'_'.repeat(index)}URLs":0`).join()}}`,
  },
  'one field, repeated': { body: fill(open, ',"email":0', '}') },
  'constructors in constructors': { body: fill('', '{"constructor":', '') },
  'arrays in arrays': { body: `${'['.repeat(BYTES_MAX / 2)}${']'.repeat(BYTES_MAX / 2)}` },
  'objects in objects': { body: `${'{"":'.repeat(25_000)}0${'}'.repeat(25_000)}` },
  '1,000 objects in objects': { body: `${'{"":'.repeat(249)}0${'}'.repeat(249)}` },
  'white space': { body: fill('{', ' ', '}') },
  'an open string': { body: fill('{"', '\\"', '') },
  'escaped backslashes': { body: fill('{"', '\\\\', '":0}') },
  'an end without a start': { body: fill(open, ' ', '}}') },
  'a long e-mail address': { body: fill('{"email":"a', '.a', '"}') },
  'a long host name': { body: fill('{"email":"a@a', '.a', '"}') },
  'a long label': { body: fill('{"email":"a@', 'a-', '"}') },
  'a long redirect URL': { body: field('redirectURL', 'a', 'https://') },
  'a redirect URL of emojis': { body: field('redirectURL', '\u{1F388}', 'https://a/') },
  'a redirect URL of host names': { body: field('redirectURL', 'a.', 'https://') },
  'a redirect URL of open placeholders': {
    body: JSON.stringify({ ...valid, redirectURL: `https://a/${`{${'A'.repeat(39)}`.repeat(50)}` }),
  },
  'a redirect URL of placeholders': {
    body: JSON.stringify({ ...valid, redirectURL: `https://a/${'{CART_ID}'.repeat(220)}` }),
  },
  'a redirect URL with an international host': {
    body: JSON.stringify({
      ...valid,
      redirectURL: `https://${Array.from({ length: 2_000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')}`,
    }),
  },
  'a name of white space': { body: fill('{"firstName":"a', ' ', 'a"}') },
  'a name of no-break spaces': { body: fill('{"firstName":"', '\u00a0', '"}') },
  'a name of emojis': { body: fill('{"firstName":"', '\u{1F388}', '"}') },
  'a phone number of escapes': { body: field('phone', '\\u0000') },
  'a product of hyphens': { body: fill('{"productDocumentId":"', '-', '"}') },
  'a price of many digits': { body: fill(`${open},"customerPrice":1`, '1', '}') },
  'a price of many decimals': { body: fill(`${open},"customerPrice":0.`, '0', '1}') },
  'a price with a long exponent': { body: fill(`${open},"customerPrice":1e`, '9', '}') },
  'valid UTF-8 in base64': { body: Buffer.from(fill('{"a":"', '€', '"}')) },
  'invalid UTF-8': { body: Buffer.concat([Buffer.from(fill('{"a":"', '€', '   "}')), Buffer.of(0xff)]) },
  '10 MB of text': { body: `{"a":"${'x'.repeat(10_000_000)}"}` },
  '10 MB of emojis': { body: `{"a":"${'\u{1F388}'.repeat(2_500_000)}"}` },
  '10 MB that are not UTF-8': { body: new Uint8Array(10_000_000).fill(0xff) },
  'a long Idempotency-Key': { body: `${open}}`, headers: { 'Idempotency-Key': 'x'.repeat(HEADER_BYTES) } },
  'many languages': { body: `${open}}`, headers: { 'Accept-Language': ','.repeat(HEADER_BYTES) } },
  'a language of spaces': {
    body: `${open}}`,
    headers: { 'Accept-Language': `a${' '.repeat(HEADER_BYTES)}b` },
  },
  'a language of semicolons': {
    body: `${open}}`,
    headers: { 'Accept-Language': ';,'.repeat(HEADER_BYTES / 2) },
  },
  'a long content type': {
    body: `${open}}`,
    headers: { 'Content-Type': `application/${'json+'.repeat(HEADER_BYTES / 5)}` },
  },
};
