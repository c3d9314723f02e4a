import { describe, expect, it } from 'vitest';
import { type CreateCartRequest, createCartRequestSchema } from '../../../lib/carts/create-cart-request.ts';
import { BUYER } from '../../support/secrets.ts';

const MINIMAL = { productDocumentId: 'course', email: BUYER.email, firstName: 'Ada', lastName: 'Lovelace' };

const parse = (changes: Record<string, unknown>): CreateCartRequest =>
  createCartRequestSchema.parse({ ...MINIMAL, ...changes });

/** The paths of what is wrong with a request; none if it is valid. */
const issuesOf = (changes: Record<string, unknown>): string[] => {
  const { error } = createCartRequestSchema.safeParse({ ...MINIMAL, ...changes });
  return error?.issues.map(({ path }) => path.join('.')) ?? [];
};

const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, '']));

describe('a request', () => {
  it('needs a product, an e-mail address and two names, and nothing else', () => {
    expect(parse({})).toStrictEqual(MINIMAL);
    expect(
      createCartRequestSchema.safeParse({}).error?.issues.map(({ path }) => path.join('.')),
    ).toStrictEqual(['productDocumentId', 'email', 'firstName', 'lastName']);
  });

  it('may have every field of the document', () => {
    const optional = {
      phone: '+1 555 0100',
      redirectURL: 'https://example.com/{CART_ID}',
      meta: { order: 'A-1' },
      customerPrice: 7.25,
    };
    expect(parse(optional)).toStrictEqual({ ...MINIMAL, ...optional });
  });

  it('drops unknown fields, near misses included', () => {
    const unknown = {
      storeId: 'store-2',
      mode: 'live',
      redirectUrl: 'https://example.com',
      lang: 'fr-CA',
      price: 1,
    };
    expect(parse(unknown)).toStrictEqual(MINIMAL);
  });

  it.each([undefined, null, 'cart', 42, true, []])('is no %j', (body) => {
    expect(createCartRequestSchema.safeParse(body).success).toBe(false);
  });
});

describe('the bounds of a field', () => {
  it.each([
    ['productDocumentId', 'x', ''],
    ['productDocumentId', 'Az09_-'.repeat(21) + 'ab', 'x'.repeat(129)],
    ['email', `${'x'.repeat(244)}@a.example`, `${'x'.repeat(245)}@a.example`],
    ['firstName', 'x', ''],
    ['firstName', 'x'.repeat(100), 'x'.repeat(101)],
    ['lastName', 'x', ''],
    ['lastName', 'x'.repeat(100), 'x'.repeat(101)],
    ['phone', '1'.repeat(32), '1'.repeat(33)],
    ['redirectURL', `https://a.example/${'x'.repeat(2_030)}`, `https://a.example/${'x'.repeat(2_031)}`],
    ['meta', entries(50), entries(51)],
    ['customerPrice', 5e-324, 0],
    ['customerPrice', Number.MAX_VALUE, Number.POSITIVE_INFINITY],
  ])('include the last valid value and refuse the first invalid one: %s', (field, valid, invalid) => {
    expect(issuesOf({ [field]: valid })).toStrictEqual([]);
    expect(issuesOf({ [field]: invalid })).toStrictEqual([field]);
  });

  it('let a phone number be empty', () => {
    expect(parse({ phone: '' })).toMatchObject({ phone: '' });
  });

  it('let a meta value be empty and have 500 characters, a key 1 to 40', () => {
    expect(issuesOf({ meta: { a: '', ['k'.repeat(40)]: 'v'.repeat(500) } })).toStrictEqual([]);
    expect(issuesOf({ meta: { a: 'v'.repeat(501) } })).toStrictEqual(['meta.a']);
    expect(issuesOf({ meta: { '': 'v' } })).toHaveLength(1);
    expect(issuesOf({ meta: { ['k'.repeat(41)]: 'v' } })).toHaveLength(1);
  });

  it.each([
    ['firstName', '🎈'.repeat(100), '🎈'.repeat(101)],
    ['lastName', '🎈'.repeat(100), '🎈'.repeat(101)],
    ['phone', '🎈'.repeat(32), '🎈'.repeat(33)],
    ['meta', { ['🎈'.repeat(40)]: '' }, { ['🎈'.repeat(41)]: '' }],
    ['meta', { a: '🎈'.repeat(500) }, { a: '🎈'.repeat(501) }],
  ])('count an emoji as one character: %s', (field, valid, invalid) => {
    expect(issuesOf({ [field]: valid })).toStrictEqual([]);
    expect(issuesOf({ [field]: invalid })).toHaveLength(1);
  });
});

describe('what is wrong with a field', () => {
  const messagesOf = (value: unknown): string[] => {
    const { error } = createCartRequestSchema.safeParse(value);
    return error?.issues.map(({ message }) => message) ?? [];
  };

  it.each([
    ['productDocumentId', 'a b', 'Must be 1 to 128 letters, digits, _ or -'],
    ['productDocumentId', 5, 'Must be a string'],
    ['email', 'ada', 'Must be an e-mail address'],
    ['email', `${'x'.repeat(245)}@a.example`, 'Must have at most 254 characters'],
    ['firstName', ' ', 'Must have 1 to 100 characters'],
    ['lastName', '\ud83d', 'Must be well-formed Unicode'],
    ['phone', '\ud83d'.repeat(33), 'Must be well-formed Unicode'],
    ['phone', '1'.repeat(33), 'Must have 0 to 32 characters'],
    ['redirectURL', '/thanks', 'Must be an absolute http(s) address'],
    ['meta', [], 'Must be an object'],
    ['meta', entries(51), 'Must have at most 50 entries'],
    ['customerPrice', '5', 'Must be a finite number'],
    ['customerPrice', -1, 'Must be above 0'],
  ])('is told in one sentence that says what would be right: %s, %j', (field, value, message) => {
    expect(messagesOf({ ...MINIMAL, [field]: value })).toStrictEqual([message]);
  });

  it('is told of the whole where that is no object', () => {
    expect(messagesOf('cart')).toStrictEqual(['Must be a JSON object']);
  });
});

describe('a text', () => {
  it.each(['\ud83d', '\udc00', 'a\ud83d', '\udc00\ud83d', '\ud83d\ud83d\udc00'])(
    'may hold no half of a surrogate pair: %j',
    (broken) => {
      const fields = ['productDocumentId', 'email', 'firstName', 'lastName', 'phone', 'redirectURL'];
      for (const field of fields) expect(issuesOf({ [field]: broken }), field).toStrictEqual([field]);
      expect(issuesOf({ redirectURL: `https://example.com/${broken}` })).toStrictEqual(['redirectURL']);
      expect(issuesOf({ meta: { a: broken } })).toStrictEqual(['meta.a']);
      expect(issuesOf({ meta: { [broken]: 'a' } })).toHaveLength(1);
    },
  );

  it.each([null, 42, true, {}, ['x']])('is not made of %j', (value) => {
    const fields = ['productDocumentId', 'email', 'firstName', 'lastName', 'phone', 'redirectURL'];
    for (const field of fields) expect(issuesOf({ [field]: value }), field).toStrictEqual([field]);
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
  });

  it('is absent where only white space is given', () => {
    expect(issuesOf({ firstName: ' \t\u00a0\u3000', lastName: '\n' })).toStrictEqual([
      'firstName',
      'lastName',
    ]);
  });
});

describe('an e-mail address', () => {
  it.each([
    'a@b.co',
    'first.last+tag@sub.example.com',
    "o'neil@example.org",
    'A_B-c@EXAMPLE.COM',
    'a&b!#$%*/=?^`{|}~@example.com',
    'a@xn--e1afmkfd.xn--p1ai',
    `a@${'x'.repeat(63)}.example`,
  ])('may be %s', (email) => {
    expect(parse({ email })).toMatchObject({ email });
  });

  it('is refused in little time, however it is made', () => {
    const hostile = [
      'a'.repeat(100_000),
      `a@${'a.'.repeat(50_000)}`,
      `a@${'a-'.repeat(50_000)}`,
      'a.'.repeat(50_000),
    ];
    const startedAtMs = performance.now();
    for (const email of hostile) expect(issuesOf({ email })).toContain('email');
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });

  it.each([
    'nobody',
    '@example.com',
    'a@',
    'a@b',
    'a b@example.com',
    'a@b@example.com',
    ' a@example.com',
    'a@example.com\n',
    'A <a@example.com>',
    'a..b@example.com',
    '.a@example.com',
    'a@-example.com',
    'a@example-.com',
    'a@example.c',
    'a@example.123',
    'é@example.com',
    `a@${'x'.repeat(64)}.example`,
  ])('may not be %j', (email) => {
    expect(issuesOf({ email })).toStrictEqual(['email']);
  });
});

describe('a product identifier', () => {
  it.each(['a b', 'a/b', 'a.b', 'é', 'a\n', '../a', ' a'])('may not be %j', (productDocumentId) => {
    expect(issuesOf({ productDocumentId })).toStrictEqual(['productDocumentId']);
  });
});

describe('meta', () => {
  it('keeps keys that are names of JavaScript as the data they are', () => {
    const meta = {
      constructor: 'a',
      toString: 'b',
      hasOwnProperty: 'c',
      valueOf: 'd',
      prototype: 'e',
      length: '6',
    };
    expect(parse({ meta }).meta).toStrictEqual(meta);
    expect(Object.keys(parse({ meta }).meta ?? {})).toStrictEqual(Object.keys(meta));
  });

  it('is kept as it is: untrimmed, in any script', () => {
    const meta = { ' a ': ' b ', ключ: 'значение', '\u0000': '\u202e' };
    expect(parse({ meta }).meta).toStrictEqual(meta);
  });

  it.each([null, [], 'a', 42])('is no %j', (meta) => {
    expect(issuesOf({ meta })).toStrictEqual(['meta']);
  });
});

describe('an amount', () => {
  it.each([-0, -1, Number.NaN, Number.NEGATIVE_INFINITY, '5', null, true, [5]])(
    'may not be %j',
    (customerPrice) => {
      expect(issuesOf({ customerPrice })).toStrictEqual(['customerPrice']);
    },
  );
});
