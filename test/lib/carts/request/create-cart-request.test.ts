import { describe, expect, it } from 'vitest';
import {
  type CreateCartRequest,
  createCartRequestSchema,
} from '../../../../lib/carts/request/create-cart-request.ts';
import { BUYER } from '../../../support/secrets.ts';
import { metaOfBytes } from '../large-meta.ts';

// The complete test of every bound. Other tests of the create request show only that it uses this schema.

const MINIMAL = { productDocumentId: 'course', email: BUYER.email, firstName: 'Ada', lastName: 'Lovelace' };
const FIELDS = Object.keys(createCartRequestSchema.shape);
const OPTIONAL = FIELDS.filter((field) => !Object.hasOwn(MINIMAL, field));
const TEXTS = FIELDS.filter((field) => !['meta', 'expiresInMinutes', 'customerPrice'].includes(field));

const parse = (changes: Record<string, unknown>): CreateCartRequest =>
  createCartRequestSchema.parse({ ...MINIMAL, ...changes });

const issuesOfBody = (body: unknown) => createCartRequestSchema.safeParse(body).error?.issues ?? [];

/** The paths of the issues of a request. Empty if it is valid. */
const issuesOf = (changes: Record<string, unknown>): string[] =>
  issuesOfBody({ ...MINIMAL, ...changes }).map(({ path }) => path.join('.'));

const entries = (count: number, value: unknown = '') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, value]));

describe('a request', () => {
  it('needs a product, an e-mail address and two names, and nothing else', () => {
    expect(parse({})).toStrictEqual(MINIMAL);
    expect(issuesOfBody({}).map(({ path }) => path.join('.'))).toStrictEqual(TEXTS.slice(0, 4));
  });

  it('may have every field of the contract', () => {
    const optional = {
      phone: '+1 555 0100',
      lang: 'fr-CA',
      redirectURL: 'https://example.com/{CART_ID}',
      cancelURL: 'https://example.com/basket/{CART_ID}',
      meta: { order: 'A-1' },
      customerPrice: 7.25,
    };
    expect(parse(optional)).toStrictEqual({ ...MINIMAL, ...optional });
  });

  it('drops unknown fields, including similar names', () => {
    const unknown = { storeId: 'b', mode: 'live', redirectUrl: 'https://a.example', price: 1 };
    expect(parse(unknown)).toStrictEqual(MINIMAL);
  });

  it.each(OPTIONAL)('may have null for an absent field: %s', (field) => {
    expect(JSON.stringify(parse({ [field]: null }))).toBe(JSON.stringify(MINIMAL));
  });

  it('may have an empty phone number for none, as forms send it', () => {
    expect(JSON.stringify(parse({ phone: '' }))).toBe(JSON.stringify(MINIMAL));
  });

  it('may have a locale in any case', () => {
    expect(parse({ lang: 'FR-ca' })).toStrictEqual({ ...MINIMAL, lang: 'fr-CA' });
  });

  it('may have an empty array for empty metadata, as PHP encodes it', () => {
    expect(parse({ meta: [] })).toStrictEqual({ ...MINIMAL, meta: {} });
  });

  it.each([undefined, null, 'cart', 42, true, []])('is an object, not %j', (body) => {
    expect(issuesOfBody(body).map(({ message }) => message)).toStrictEqual(['Must be a JSON object']);
  });
});

describe('the bounds of a field', () => {
  it.each([
    ['productDocumentId', 'x', ''],
    ['productDocumentId', 'Az09_-'.repeat(21) + 'ab', 'x'.repeat(129)],
    ['email', `${'x'.repeat(244)}@a.example`, `${'x'.repeat(245)}@a.example`],
    ['firstName', 'x', ''],
    ['lastName', 'x', ''],
    ['phone', '1'.repeat(32), '1'.repeat(33)],
    ['redirectURL', `https://a.example/${'x'.repeat(2_030)}`, `https://a.example/${'x'.repeat(2_031)}`],
    ['cancelURL', `https://a.example/${'x'.repeat(2_030)}`, `https://a.example/${'x'.repeat(2_031)}`],
    ['lang', 'es-419', 'es'],
    ['lang', 'fil-PH', 'fr_CA'],
    ['meta', entries(50), entries(51)],
    ['meta', { a: '', ['k'.repeat(40)]: 'v'.repeat(500) }, { a: 'v'.repeat(501) }],
    ['meta', {}, { '': 'v' }],
    ['meta', {}, { ['k'.repeat(41)]: 'v' }],
    ['meta', metaOfBytes(128_000), metaOfBytes(128_001)],
    ['customerPrice', 5e-324, 0],
    ['customerPrice', Number.MAX_VALUE, Number.POSITIVE_INFINITY],
    // An emoji is one character.
    ['firstName', '🎈'.repeat(100), '🎈'.repeat(101)],
    ['lastName', '🎈'.repeat(100), '🎈'.repeat(101)],
    ['phone', '🎈'.repeat(32), '🎈'.repeat(33)],
    ['meta', { ['🎈'.repeat(40)]: '' }, { ['🎈'.repeat(41)]: '' }],
    ['meta', { a: '🎈'.repeat(500) }, { a: '🎈'.repeat(501) }],
  ])('include the last valid value and exclude the first invalid one: %s', (field, valid, invalid) => {
    expect(parse({ [field]: valid })).toMatchObject({ [field]: valid });
    expect(issuesOf({ [field]: invalid })).toStrictEqual([expect.stringContaining(field)]);
  });
});

describe('the issue of a field', () => {
  const ASCII_ADDRESS =
    'Must be an e-mail address of ASCII characters: send an international domain as xn--…, in Punycode';
  it.each([
    ['productDocumentId', 'a b', 'Must be 1 to 128 letters, digits, _ or -'],
    ['productDocumentId', 5, 'Must be a string'],
    ['productDocumentId', undefined, 'productDocumentId is required'],
    ['productDocumentId', null, 'productDocumentId is required'],
    ['email', undefined, 'email is required'],
    ['email', null, 'email is required'],
    ['email', '', 'Must be an e-mail address'],
    ['email', 5, 'Must be an e-mail address'],
    ['email', 'ada', 'Must be an e-mail address'],
    ['email', 'ada@münchen.de', ASCII_ADDRESS],
    ['email', 'adé@example.com', ASCII_ADDRESS],
    ['email', `${'x'.repeat(245)}@a.example`, 'Must have at most 254 characters'],
    ['email', 'x'.repeat(255), 'Must have at most 254 characters'],
    ['firstName', undefined, 'firstName is required'],
    ['firstName', null, 'firstName is required'],
    ['firstName', 5, 'Must be a string'],
    ['firstName', '', 'Must have 1 to 100 characters'],
    ['firstName', ' ', 'Must have 1 to 100 characters'],
    ['lastName', '\ud83d', 'Must be well-formed Unicode'],
    ['phone', '\ud83d'.repeat(33), 'Must be well-formed Unicode'],
    ['phone', '1'.repeat(33), 'Must have 0 to 32 characters'],
    ['redirectURL', '', 'Omit it or send an address'],
    ['redirectURL', '/thanks', 'Must begin with https:// or http://'],
    ['redirectURL', 5, 'Must be a string'],
    ['cancelURL', '/basket', 'Must begin with https:// or http://'],
    ['lang', 'fr', 'Must be a language and a region, such as fr-CA'],
    ['meta', ['a'], 'Must be an object'],
    ['meta', '', 'Must be an object'],
    ['meta', 'x'.repeat(51), 'Must be an object'],
    ['meta', { a: 30 }, 'Must be a string: send "30", not 30'],
    ['meta', { a: -0.5 }, 'Must be a string: send "-0.5", not -0.5'],
    ['meta', { a: false }, 'Must be a string: send "false", not false'],
    ['meta', { a: null }, 'Must be a string'],
    ['meta', { a: {} }, 'Must be a string'],
    // Numbers that have lost digits. The string to send is unknown.
    ['meta', { a: 2 ** 53 - 1 }, 'Must be a string: send "9007199254740991", not 9007199254740991'],
    ['meta', { a: 2 ** 53 }, 'Must be a string'],
    ['meta', { a: -(2 ** 53) }, 'Must be a string'],
    ['meta', { a: Number.POSITIVE_INFINITY }, 'Must be a string'],
    ['meta', entries(51), 'Must have at most 50 entries'],
    ['meta', metaOfBytes(128_001), 'Must have at most 128000 bytes as JSON'],
    // The entries are counted before they are checked.
    ['meta', entries(51, 5), 'Must have at most 50 entries'],
    ['customerPrice', '5', 'Must be a number, not a string'],
    ['customerPrice', -1, 'Must be above 0'],
  ])('is one sentence that says what is valid: %s, %j', (field, value, message) => {
    const issues = issuesOfBody({ ...MINIMAL, [field]: value });
    expect(issues.map((issue) => issue.message)).toStrictEqual([message]);
  });
});

describe('a text', () => {
  it.each(['\ud83d', '\udc00', 'a\ud83d', '\udc00\ud83d', '\ud83d\ud83d\udc00'])(
    'contains no half of a surrogate pair: %j',
    (broken) => {
      for (const field of TEXTS) expect(issuesOf({ [field]: broken }), field).toStrictEqual([field]);
      expect(issuesOf({ redirectURL: `https://example.com/${broken}` })).toStrictEqual(['redirectURL']);
      expect(issuesOf({ meta: { a: broken } })).toStrictEqual(['meta.a']);
      expect(issuesOf({ meta: { [broken]: 'a' } })).toHaveLength(1);
    },
  );

  it.each([42, true, {}, ['x']])('is a string, not %j', (value) => {
    for (const field of TEXTS) expect(issuesOf({ [field]: value }), field).toStrictEqual([field]);
    expect(issuesOf({ meta: { a: value } })).toStrictEqual(['meta.a']);
  });
});

describe('a name', () => {
  it('is trimmed of white space of every kind before it is measured', () => {
    const firstName = `\t\u00a0\u3000\ufeff ${'x'.repeat(100)} \r\n\u2028`;
    expect(parse({ firstName, lastName: ' van  Gogh ' })).toMatchObject({
      firstName: 'x'.repeat(100),
      lastName: 'van  Gogh',
    });
    const blank = { firstName: ' \t\u00a0\u3000', lastName: '\n' };
    expect(issuesOf(blank)).toStrictEqual(['firstName', 'lastName']);
  });
});

describe('an e-mail address', () => {
  it.each(
    [
      ['a@b.co', 'first.last+tag@sub.example.com', "o'neil@example.org", 'A_B-c@EXAMPLE.COM'],
      ['a&b!#$%*/=?^`{|}~@example.com', 'a@xn--e1afmkfd.xn--p1ai', `a@${'x'.repeat(63)}.example`],
    ].flat(),
  )('is accepted: %s', (email) => {
    expect(parse({ email })).toMatchObject({ email });
  });

  it.each(
    [
      ['nobody', '@example.com', 'a@', 'a@b', 'a b@example.com', 'a@b@example.com', 'a@ example.com'],
      ['A <a@example.com>', 'a..b@example.com', '.a@example.com', 'a@-example.com'],
      ['a@example-.com', 'a@example.c', 'a@example.123', 'é@example.com', `a@${'x'.repeat(64)}.example`],
    ].flat(),
  )('is rejected: %j', (email) => {
    expect(issuesOf({ email })).toStrictEqual(['email']);
  });

  it('is trimmed of white space of every kind before it is measured', () => {
    const longest = `${'x'.repeat(244)}@a.example`;
    expect(parse({ email: `\t\u00a0\u3000\ufeff ${longest} \r\n\u2028` })).toMatchObject({ email: longest });
    expect(issuesOf({ email: ' \t' })).toStrictEqual(['email']);
  });

  it('is rejected in linear time: backtracking would exceed the time limit of a test', () => {
    const hostile = ['a'.repeat(100_000), 'a.'.repeat(50_000), `a@${'a.'.repeat(50_000)}`];
    for (const email of [...hostile, `a@${'a-'.repeat(50_000)}`])
      expect(issuesOf({ email })).toContain('email');
  });
});

describe('meta', () => {
  it.each<Record<string, string>>([
    { constructor: 'a', toString: 'b', hasOwnProperty: 'c', valueOf: 'd', prototype: 'e', length: '6' },
    { ' a ': ' b ', ключ: 'значение', '\u0000': '\u202e' },
  ])('is kept unchanged, with any key: %j', (meta) => {
    expect(Object.entries(parse({ meta }).meta ?? {})).toStrictEqual(Object.entries(meta));
  });
});

describe('an invalid value', () => {
  it.each([
    ['productDocumentId', ['a b', 'a/b', 'a.b', 'é', 'a\n', '../a', ' a']],
    ['meta', [['a'], 'a', '', 42, true]],
    ['customerPrice', [-0, -1, Number.NaN, Number.NEGATIVE_INFINITY, '5', '', true, [5]]],
  ])('is rejected with the name of its field: %s', (field, values) => {
    for (const value of values) expect(issuesOf({ [field]: value }), String(value)).toStrictEqual([field]);
  });
});
