import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCartRequestSchema } from '../../../lib/carts/create-cart-request.ts';
import { createAjv, OPERATIONS, resolveSchema } from '../../support/contract.ts';

const VALID = {
  productDocumentId: 'one-course',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
};

const requestBody = OPERATIONS.find(({ operationId }) => operationId === 'createCartCheckout')?.requestBody;
// In requests a format is an annotation, as JSON Schema has it by default: patterns say what is taken.
const validate = createAjv({ validateFormats: false }).compile(
  resolveSchema(requestBody!.content['application/json'].schema),
);

const runs = (request: unknown): boolean => createCartRequestSchema.safeParse(request).success;

/** Expects the contract and the running schema to take and to refuse the same, and to do both at times. */
const expectAgreement = (
  requests: fc.Arbitrary<unknown>,
  isAlso: (request: never) => boolean = () => true,
): void => {
  const outcomes = new Set<boolean>();
  fc.assert(
    fc.property(requests, (request) => {
      const isTaken = runs(request);
      outcomes.add(isTaken);
      expect(validate(request) && isAlso(request as never)).toBe(isTaken);
    }),
    { numRuns: 500 },
  );
  expect(outcomes.size).toBe(2);
};

const withField = (field: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  values.map((value) => ({ ...VALID, [field]: value }));

/** A text of one of these lengths, counted in code points. */
const textOf = (unit: fc.Arbitrary<string>, ...lengths: number[]): fc.Arbitrary<string> =>
  fc.oneof(
    ...lengths.map((length) =>
      fc.array(unit, { minLength: length, maxLength: length }).map((units) => units.join('')),
    ),
  );

/** One of the characters of a text. */
const oneOf = (text: string): fc.Arbitrary<string> => fc.constantFrom(...Array.from(text));

/** White space, what only looks or is called like it, and characters of one and of two UTF-16 units. */
const SPACES = oneOf(' \t\n\v\f\r\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\ufeff');
const NO_SPACES = oneOf('aZ\u0000\u001c\u0085\u180e\u200b\u200d\u2060é€🎈');
const ANY = fc.oneof(SPACES, NO_SPACES);

describe('the contract and the running schema agree', () => {
  test.each(['firstName', 'lastName'])('on %s, of 1 to 100 characters after trimming', (field) => {
    const names = fc
      .tuple(
        textOf(SPACES, 0, 1, 3, 150),
        textOf(NO_SPACES, 0, 1),
        textOf(ANY, 0, 1, 97, 98, 99),
        textOf(NO_SPACES, 0, 1),
        textOf(SPACES, 0, 1, 3, 150),
      )
      .map((parts) => parts.join(''));

    expectAgreement(withField(field, names));
  });

  test('on productDocumentId, of 1 to 128 letters, digits, _ or -', () => {
    const unit = fc.oneof({ weight: 300, arbitrary: oneOf('aZ09_-') }, { weight: 1, arbitrary: ANY });

    expectAgreement(withField('productDocumentId', textOf(unit, 0, 1, 127, 128, 129)));
  });

  test('on email, of at most 254 characters', () => {
    const atom = textOf(oneOf('abcZ09_!#$%&\'*+/=?^`{|}~-"(é \\'), 0, 1, 3);
    const label = fc.oneof(
      textOf(oneOf('aZ0-'), 1, 2),
      fc.constantFrom('x'.repeat(62), 'x'.repeat(63), 'x'.repeat(64), 'é', 'a_b', '', 'xn--9ca'),
    );
    const grammar = fc
      .tuple(
        fc.array(atom, { minLength: 1, maxLength: 3 }),
        fc.array(label, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('com', 'c', 'c0', '0', 'xn--p1ai', 'c-'),
      )
      .map(([local, labels, last]) => `${local.join('.')}@${[...labels, last].join('.')}`);
    const long = fc.integer({ min: 1, max: 66 }).map((length) => `${'x'.repeat(length)}@${'y'.repeat(63)}.z`);
    const longest = fc
      .integer({ min: 250, max: 258 })
      .map((length) => `a@${'y'.repeat(63)}.${'y'.repeat(63)}.${'y'.repeat(63)}.`.padEnd(length, 'z'));

    expectAgreement(withField('email', fc.oneof(grammar, long, longest, fc.string({ unit: 'binary' }))));
  });

  test('on phone, of at most 32 characters', () => {
    expectAgreement(withField('phone', textOf(ANY, 0, 1, 31, 32, 33)));
  });

  test('on redirectURL, of at most 2048 characters, if the URL standard can parse it', () => {
    const addresses = fc
      .tuple(
        fc.constantFrom('http', 'https', 'HTTPS', 'hTtp', 'ftp', 'javascript', 'httpſ', ''),
        fc.constantFrom('://', '://', '://', ':/', ':', '//', ':\\\\'),
        fc.constantFrom('', 'user@', 'user:secret@'),
        fc.constantFrom(
          'a.example',
          'localhost',
          '127.0.0.1',
          '[::1]',
          'é.example',
          'a b',
          'a%',
          '1.2.3.999',
          '',
        ),
        fc.constantFrom('', ':8080', ':99999', ':x'),
        fc.constantFrom(
          '',
          '/',
          '/thanks?a=b#c',
          '?cart={CART_ID}',
          '#@',
          '\\',
          '/\u0085',
          '/\u0000',
          '/a b',
          '/é🎈|"',
        ),
      )
      .map((parts) => parts.join(''));
    const long = textOf(fc.constantFrom('x', '🎈'), 2_029, 2_030, 2_031).map(
      (path) => `https://a.example/${path}`,
    );

    expectAgreement(
      withField('redirectURL', fc.oneof(addresses, long, fc.string({ unit: 'binary' }))),
      ({ redirectURL }: { redirectURL: string }) => URL.canParse(redirectURL),
    );
  });

  test('on meta, of at most 50 entries, keys of 1 to 40 and values of at most 500 characters', () => {
    const entries = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
    const values = fc.oneof(
      textOf(ANY, 0, 1, 499, 500, 501),
      fc.constantFrom<unknown>(null, 1, true, {}, []),
    );

    expectAgreement(
      withField(
        'meta',
        fc.oneof(
          fc.dictionary(textOf(ANY, 0, 1, 39, 40, 41), values, { maxKeys: 3, noNullPrototype: true }),
          fc.constantFrom(0, 1, 49, 50, 51).map(entries),
          fc.constantFrom<unknown>(null, [], 'a', 1),
        ),
      ),
    );
  });

  test('on customerPrice, above 0', () => {
    const prices = fc.constantFrom<unknown>(0, -0, Number.MIN_VALUE, Number.MAX_VALUE, -1, 1, '1', null, [1]);

    expectAgreement(
      withField('customerPrice', fc.oneof(prices, fc.double({ noNaN: true, noDefaultInfinity: true }))),
    );
  });

  test('on which fields must be there, and of which type, and on unknown ones', () => {
    const fields = [
      'productDocumentId',
      'email',
      'firstName',
      'lastName',
      'phone',
      'redirectURL',
      'meta',
      'x',
    ];
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('a', 'a@b.cc', 'https://a.example'));
    const changed = fc
      .tuple(
        fc.subarray(Object.keys(VALID)),
        fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 1 }),
      )
      .map(([left, added]) => ({
        ...Object.fromEntries(Object.entries(VALID).filter(([name]) => left.includes(name))),
        ...added,
      }));

    expectAgreement(fc.oneof(changed, fc.constant(VALID), fc.jsonValue()));
  });
});
