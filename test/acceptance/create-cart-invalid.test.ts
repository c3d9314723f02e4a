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

  const INVALID: readonly (readonly [field: string, ...values: unknown[]])[] = [
    ['productDocumentId', undefined, null, 42, '', 'x'.repeat(129), 'a/b'],
    ['email', undefined, null, ['zsofia@buyer.example'], 'nobody', 'zsofia@localhost'],
    ['email', '"zsofia"@buyer.example', `${'x'.repeat(64)}@${labels(63, 63, 62)}`],
    ['firstName', undefined, {}, '', ' \t ', 'x'.repeat(101)],
    ['lastName', undefined, true, '   ', '🎈'.repeat(101)],
    ['phone', 15_550_199, '1'.repeat(33), '\ud83d'],
    ['redirectURL', '', '/thanks', '//a.example/', 'ftp://a.example/', 'javascript:alert(1)'],
    ['redirectURL', 'https://user@a.example/', `https://a.example/${'x'.repeat(2_031)}`],
    ['redirectURL', 'https://a.example/?cart={cartId}'],
    ['customerPrice', '5', 5_000],
  ];

  it.each(INVALID.flatMap(([field, ...values]) => values.map((value) => [field, value] as const)))(
    '%s: %j',
    async (field, value) => {
      expect(expectInvalid(await createCart(cartBody({ [field]: value })))).toStrictEqual([field]);
    },
  );

  const entries51 = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']));
  const INVALID_META: readonly (readonly unknown[])[] = [
    [['a'], 'a', { a: 1 }, { a: { b: 'c' } }, { a: null }, { a: '\ud83d' }, { '': 'a' }],
    [{ ['k'.repeat(41)]: 'a' }, { a: 'v'.repeat(501) }, entries51],
  ];

  it.each(INVALID_META.flat().map((meta) => [meta]))('meta: %j', async (meta) => {
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

  it('say how to mend each field, and name a misspelled one', async () => {
    const { email: _, ...body } = cartBody({
      redirect_url: 'https://shop.example/',
      meta: { age: 30 },
      phone: '1'.repeat(33),
    });
    const response = await createCart(body);
    expectInvalid(response);
    expect(response.body['details']).toStrictEqual([
      { path: 'redirect_url', message: 'Unknown field redirect_url; did you mean redirectURL?' },
      { path: 'email', message: 'email is required' },
      { path: 'phone', message: 'Must have 0 to 32 characters' },
      { path: 'meta.age', message: 'Must be a string: send "30", not 30' },
    ]);
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
