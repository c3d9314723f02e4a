import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { cartBody, givenService, type TestService } from '../../support/service.ts';

let service: TestService;
let apiKey: string;
let productId: string;

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
  productId = await service.givenProduct({ pricing: { type: 'free' } });
});

// Whatever this file sends is refused, so that no cart may have come of it.
afterAll(async () => {
  const { Count } = await service.documents.send(new ScanCommand({ TableName: service.tableNames.carts }));
  expect(Count).toBe(0);
});

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** A valid body with one member more, written as it goes over the wire. */
const bodyWith = (member: string): string => `${cartBody(productId).slice(0, -1)},${member}}`;

const expectRejected = async (
  body: string | Uint8Array,
  headers: Record<string, string | undefined> = {},
) => {
  const answer = await service.createCart(body, { apiKey, headers });
  expectError(answer, 'invalidPayload');
  return answer.body['details'] as { path: string; message: string }[];
};

describe('a body that is no JSON object', () => {
  it.each([
    ['empty', ''],
    ['white space', ' \n'],
    ['cut short', '{"productDocumentId":'],
    ['null', 'null'],
    ['an array', '[]'],
    ['a string', '"cart"'],
    ['a number', '42'],
    ['two objects', '{}{}'],
    ['NaN as text', '{"customerPrice":NaN}'],
    ['single quotes', "{'email':'a'}"],
    ['arrays 10,000 deep', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['objects 10,000 deep', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
  ])('is refused: %s', async (_, body) => {
    await expectRejected(body);
  });

  it('is refused before it is parsed if it has over 128 KiB', async () => {
    const details = await expectRejected(bodyWith(`"padding":"${'x'.repeat(128 * 1_024)}"`));
    expect(details).toStrictEqual([{ path: '', message: 'Must have at most 131072 bytes' }]);
  });

  it('is refused at 5 MB too', () => expectRejected(bodyWith(`"padding":"${'x'.repeat(5_000_000)}"`)));

  it('counts bytes, not characters', () => expectRejected(bodyWith(`"padding":"${'é'.repeat(65_536)}"`)));
});

describe('the encoding', () => {
  it('may be no byte order mark', () => expectRejected(bytes([0xef, 0xbb, 0xbf], cartBody(productId))));
  it('must be UTF-8', () => expectRejected(bytes(bodyWith('"phone":"'), [0xff], '"}')));
  it('must not be UTF-16', () => expectRejected(Buffer.from(cartBody(productId), 'utf16le')));
  it('may hold no half of a surrogate pair', async () => {
    expect(await expectRejected(bodyWith(String.raw`"phone":"\ud83d"`))).toStrictEqual([
      { path: 'phone', message: 'Must be well-formed Unicode' },
    ]);
    await expectRejected(bodyWith(String.raw`"meta":{"\udc00":"x"}`));
    await expectRejected(bodyWith(String.raw`"meta":{"x":"\udc00"}`));
    await expectRejected(bodyWith(String.raw`"redirectURL":"https://example.com/\ud800"`));
  });
});

describe('the content type', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['almost JSON', 'application/jsonp'],
  ])('is refused: %s', async (_, type) => {
    expect(await expectRejected(cartBody(productId), { 'Content-Type': type })).toStrictEqual([
      { path: '', message: 'Content-Type must be application/json' },
    ]);
  });
});

describe('a number', () => {
  it.each([
    '1e400',
    '-1e400',
    '1e126',
    '1e21',
    '0',
    '-0',
    '-1',
    '9007199254740993',
    '1e-7',
    '5e-324',
    '0.001',
    '"5"',
    'null',
    'true',
  ])('is refused as a price: %s', async (number) => {
    const details = await expectRejected(bodyWith(`"customerPrice":${number}`));
    expect(details.map(({ path }) => path)).toStrictEqual(['customerPrice']);
  });
});

describe('meta', () => {
  it.each([
    ['__proto__ as a key', '{"__proto__":"x"}'],
    ['__proto__ with an object', '{"__proto__":{"polluted":"x"}}'],
    ['constructor with a prototype', '{"constructor":{"prototype":{"polluted":"x"}}}'],
    ['a number as value', '{"a":1}'],
    ['a nested object', '{"a":{"b":"c"}}'],
    ['null as value', '{"a":null}'],
    ['an array', '["a"]'],
    ['null', 'null'],
    ['an empty key', '{"":"x"}'],
    ['a key of 41 characters', `{"${'k'.repeat(41)}":"x"}`],
    ['a value of 501 characters', `{"k":"${'v'.repeat(501)}"}`],
    ['51 entries', JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])))],
  ])('is refused: %s', async (_, meta) => {
    await expectRejected(bodyWith(`"meta":${meta}`));
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a redirect address', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    '//example.com/',
    '/thanks',
    'https://a@b',
    'https://user:secret@example.com/',
    'https://example.com\\@evil.example/',
    'https://',
    'https://exa mple.com/',
    'https://example.com/\n',
    ' https://example.com/',
    '',
    `https://example.com/${'x'.repeat(2_029)}`,
  ])('is refused: %j', async (address) => {
    const details = await expectRejected(cartBody(productId, { redirectURL: address }));
    expect(details.map(({ path }) => path)).toStrictEqual(['redirectURL']);
  });
});

describe('a required field', () => {
  it.each(['productDocumentId', 'email', 'firstName', 'lastName'])(
    'is told by name if absent: %s',
    async (field) => {
      const details = await expectRejected(cartBody(productId, { [field]: undefined }));
      expect(details.map(({ path }) => path)).toStrictEqual([field]);
    },
  );

  it.each([
    ['productDocumentId', ''],
    ['productDocumentId', 'a/b'],
    ['productDocumentId', 'x'.repeat(129)],
    ['email', 'nobody'],
    ['email', `${'x'.repeat(250)}@a.example`],
    ['firstName', '   '],
    ['firstName', 'x'.repeat(101)],
    ['lastName', ['Ada']],
    ['phone', '1'.repeat(33)],
    ['phone', null],
  ])('is refused out of bounds: %s', async (field, value) => {
    const details = await expectRejected(cartBody(productId, { [field]: value }));
    expect(details.map(({ path }) => path)).toStrictEqual([field]);
  });
});

describe('the details of a refusal', () => {
  it('tell at most 20 faults, and never a value', async () => {
    const meta = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, i]));
    const answer = await service.createCart(cartBody(productId, { meta, email: 'my-secret' }), { apiKey });
    expect(answer.body['details']).toHaveLength(20);
    expect(answer.bodyText).not.toContain('my-secret');
  });
});
