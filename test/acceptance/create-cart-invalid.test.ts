import { describe, expect, it } from 'vitest';
import { bodyWith, cartBody, createCart } from './support/client.ts';
import { expectInvalid } from './support/expectations.ts';

const nested = (open: string, close: string): string => open.repeat(10_000) + close.repeat(10_000);
const utf16 = Buffer.from(JSON.stringify(cartBody()), 'utf16le');

describe('a body that is not a JSON object is rejected with 422', () => {
  it.each<[string, string | Uint8Array]>([
    ['empty', ''],
    ['white space', ' \n'],
    ['cut short', '{"productDocumentId":'],
    ['null', 'null'],
    ['an array', '[]'],
    ['a string', '"cart"'],
    ['a number', '42'],
    ['two objects', '{}{}'],
    ['not a number', bodyWith('"customerPrice":NaN')],
    ['arrays 10,000 deep', nested('[', ']')],
    ['in UTF-16', utf16],
    [
      'after a byte that UTF-8 does not have',
      Buffer.concat([Buffer.of(0xff), Buffer.from(bodyWith('"a":1'))]),
    ],
    ['after a byte order mark', `\ufeff${bodyWith('"a":1')}`],
    ['with a member __proto__', bodyWith('"__proto__":{"a":"b"}')],
    ['with a member constructor.prototype', bodyWith('"constructor":{"prototype":{"a":"b"}}')],
  ])('%s', async (_, body) => {
    expectInvalid(await createCart(body));
  });
});

describe('a content type other than JSON is rejected with 422', () => {
  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    '%s',
    async (type) => {
      expectInvalid(await createCart(cartBody(), { headers: { 'Content-Type': type } }));
    },
  );
});

describe('an invalid field is rejected with 422 and reported by its name', () => {
  const labels = (...lengths: number[]): string => lengths.map((length) => 'x'.repeat(length)).join('.');

  it.each<[string, string, unknown]>([
    ['productDocumentId', 'absent', undefined],
    ['productDocumentId', 'null', null],
    ['productDocumentId', 'a number', 42],
    ['productDocumentId', 'empty', ''],
    ['productDocumentId', '129 characters', 'x'.repeat(129)],
    ['productDocumentId', 'with another character', 'a/b'],
    ['email', 'absent', undefined],
    ['email', 'null', null],
    ['email', 'a list', ['zsofia@buyer.example']],
    ['email', 'not an address', 'nobody'],
    ['email', 'a host of one label', 'zsofia@localhost'],
    ['email', 'a quoted local part', '"zsofia"@buyer.example'],
    ['email', '255 characters', `${'x'.repeat(64)}@${labels(63, 63, 62)}`],
    ['firstName', 'absent', undefined],
    ['firstName', 'an object', {}],
    ['firstName', 'empty', ''],
    ['firstName', 'white space', ' \t '],
    ['firstName', '101 characters', 'x'.repeat(101)],
    ['lastName', 'absent', undefined],
    ['lastName', 'a boolean', true],
    ['lastName', 'white space', '   '],
    ['lastName', '101 characters', '🎈'.repeat(101)],
    ['phone', 'null', null],
    ['phone', 'a number', 15_550_199],
    ['phone', '33 characters', '1'.repeat(33)],
    ['phone', 'half of a surrogate pair', '\ud83d'],
    ['redirectURL', 'null', null],
    ['redirectURL', 'empty', ''],
    ['redirectURL', 'relative', '/thanks'],
    ['redirectURL', 'without a scheme', '//a.example/'],
    ['redirectURL', 'of another scheme', 'ftp://a.example/'],
    ['redirectURL', 'a script', 'javascript:alert(1)'],
    ['redirectURL', 'with a user', 'https://user@a.example/'],
    ['redirectURL', '2049 characters', `https://a.example/${'x'.repeat(2_031)}`],
    ['customerPrice', 'null', null],
    ['customerPrice', 'a text', '5'],
    ['customerPrice', 'on a fixed price', 5_000],
  ])('%s: %s', async (field, _, value) => {
    expect(expectInvalid(await createCart(cartBody({ [field]: value })))).toStrictEqual([field]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', ['a']],
    ['a text', 'a'],
    ['a number as value', { a: 1 }],
    ['an object as value', { a: { b: 'c' } }],
    ['null as value', { a: null }],
    ['half of a surrogate pair as value', { a: '\ud83d' }],
    ['an empty key', { '': 'a' }],
    ['a key of 41 characters', { ['k'.repeat(41)]: 'a' }],
    ['a value of 501 characters', { a: 'v'.repeat(501) }],
    ['51 entries', Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']))],
  ])('meta: %s', async (_, meta) => {
    const paths = expectInvalid(await createCart(cartBody({ meta })));
    expect(paths).toHaveLength(1);
    expect(paths[0]).toMatch(/^meta(?:\.|$)/);
  });
});

describe('the details', () => {
  it('name every invalid field', async () => {
    const response = await createCart({ meta: { a: 1 }, phone: 2 });

    const expected = ['productDocumentId', 'email', 'firstName', 'lastName', 'phone', 'meta.a'];
    expect(expectInvalid(response).toSorted()).toStrictEqual(expected.toSorted());
  });

  it('are at most 20', async () => {
    const meta = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, index]));
    expect(expectInvalid(await createCart(cartBody({ meta })))).toHaveLength(20);
  });

  it('never repeat a value', async () => {
    const response = await createCart({
      productDocumentId: 'secret/1',
      email: 'secret-2',
      firstName: `secret-3${'x'.repeat(100)}`,
      lastName: ['secret-4'],
      phone: { secret: 5 },
      redirectURL: 'ftp://secret-6',
      meta: { a: `secret-7${'x'.repeat(500)}`, b: ['secret-8'] },
      customerPrice: 'secret-9',
    });
    expect(expectInvalid(response).length).toBeGreaterThanOrEqual(8);
    expect(response.bodyText).not.toContain('secret');
  });
});

it('422 comes before 400', async () => {
  const body = cartBody({ productDocumentId: 'no-store-has-this-product', email: 'nobody' });

  expect(expectInvalid(await createCart(body))).toStrictEqual(['email']);
});
