import { describe, expect, it } from 'vitest';
import { parseProduct } from '../../../lib/products/product-schema.ts';

const PRODUCT = {
  id: 'course',
  storeId: 'shop',
  name: 'Course 🎈',
  available: true,
  currency: 'EUR',
  pricing: { type: 'fixed', amount: 19.99 },
};

/** The paths of what is wrong with a product that is changed so. */
const faultyPaths = (changes: object): string[] => {
  const parsed = parseProduct({ ...PRODUCT, ...changes });
  return parsed.ok ? [] : parsed.issues.map(({ path }) => path);
};

describe('a product', () => {
  it.each([
    ['with a fixed price', {}],
    ['with free pricing', { pricing: { type: 'free' } }],
    ['with bounds', { pricing: { type: 'free', minimum: 5, suggested: 5 } }],
    ['with a minimum alone', { pricing: { type: 'free', minimum: 5 } }],
    ['with a suggestion alone', { pricing: { type: 'free', suggested: 5 } }],
    ['that is not on sale', { available: false }],
    ['of a currency without decimals', { currency: 'JPY', pricing: { type: 'fixed', amount: 1_500 } }],
    ['of a currency with three', { currency: 'KWD', pricing: { type: 'fixed', amount: 1.234 } }],
    ['with the longest id and name', { id: 'x'.repeat(128), name: '🎈'.repeat(200) }],
  ])('is taken as it is: %s', (_what, changes) => {
    const product = { ...PRODUCT, ...changes };
    expect(parseProduct(product)).toStrictEqual({ ok: true, product });
  });

  it('has its name trimmed', () => {
    expect(parseProduct({ ...PRODUCT, name: ' \u00A0Course\t' })).toMatchObject({
      product: { name: 'Course' },
    });
  });

  it('is on sale unless it says otherwise', () => {
    const { available: _, ...rest } = PRODUCT;
    expect(parseProduct(rest)).toStrictEqual({ ok: true, product: PRODUCT });
  });

  it.each<[string, object, string[]]>([
    ['no id', { id: undefined }, ['id']],
    ['an id with a slash', { id: 'a/b' }, ['id']],
    ['an id too long', { id: 'x'.repeat(129) }, ['id']],
    ['an empty store', { storeId: '' }, ['storeId']],
    ['no name', { name: '' }, ['name']],
    ['a name of spaces', { name: ' \t\u3000' }, ['name']],
    ['a name of zero width', { name: '\u200B\u2060\uFEFF' }, ['name']],
    ['a name of fillers', { name: '\u3164\u115F' }, ['name']],
    ['a name of controls', { name: '\u0000\u009B' }, ['name']],
    ['a name too long', { name: 'x'.repeat(201) }, ['name']],
    ['a name with half a character', { name: '\uD83C' }, ['name']],
    ['a word for a truth value', { available: 'yes' }, ['available']],
    ['an unknown currency', { currency: 'XYZ' }, ['currency']],
    ['a currency in lower case', { currency: 'eur' }, ['currency']],
    ['a currency of the past', { currency: 'DEM' }, ['currency']],
    ['a metal', { currency: 'XAU' }, ['currency']],
    ['an unknown pricing', { pricing: { type: 'auction' } }, ['pricing.type']],
    ['no amount', { pricing: { type: 'fixed' } }, ['pricing.amount']],
    ['an amount of nothing', { pricing: { type: 'fixed', amount: 0 } }, ['pricing.amount']],
    ['too many decimals', { pricing: { type: 'fixed', amount: 1.999 } }, ['pricing.amount']],
    ['decimals of yen', { currency: 'JPY', pricing: { type: 'fixed', amount: 1.5 } }, ['pricing.amount']],
    ['an amount in words', { pricing: { type: 'fixed', amount: '5' } }, ['pricing.amount']],
    ['an infinite amount', { pricing: { type: 'fixed', amount: Infinity } }, ['pricing.amount']],
    ['a fixed price with a minimum', { pricing: { type: 'fixed', amount: 5, minimum: 1 } }, ['pricing']],
    [
      'bounds that are unpayable',
      { pricing: { type: 'free', minimum: -1, suggested: 0.001 } },
      ['pricing.minimum', 'pricing.suggested'],
    ],
    [
      'a suggestion below the minimum',
      { pricing: { type: 'free', minimum: 5, suggested: 4.99 } },
      ['pricing.suggested'],
    ],
    ['an unknown field', { colour: 'red' }, ['']],
    ['several faults', { id: '', currency: 'XYZ' }, ['id', 'currency']],
  ])('is refused by the names of its faults: %s', (_what, changes, paths) => {
    expect(faultyPaths(changes).toSorted()).toStrictEqual(paths.toSorted());
  });

  it.each([
    [
      { currency: 'KWD', pricing: { type: 'fixed', amount: 0 } },
      'Must be a payable amount in KWD: above 0, with at most 3 decimals',
    ],
    [{ pricing: { type: 'free', minimum: 5, suggested: 4 } }, 'Must be at least the minimum'],
    [{ colour: 'red' }, 'Has an unknown field colour'],
    [{ id: 'a b' }, 'Must be 1 to 128 letters, digits, _ or -'],
    [{ name: '\u200b' }, 'Must have a visible character'],
    [{ available: 'yes' }, 'Must be true or false'],
    [{ currency: 'eur' }, 'Must be a currency of ISO 4217, such as EUR'],
    [{ pricing: { type: 'auction' } }, 'Must be of type fixed or free'],
    [{ pricing: { type: 'fixed', amount: '5' } }, 'Must be a number'],
  ])('is refused with what would be right: %j', (changes, message) => {
    expect(parseProduct({ ...PRODUCT, ...changes })).toMatchObject({ issues: [{ message }] });
  });

  it.each([undefined, null, 'course', 5, []])('is not %j', (value) => {
    expect(parseProduct(value)).toMatchObject({ ok: false, issues: [{ message: 'Must be a product' }] });
  });

  it('that is refused is not repeated', () => {
    const parsed = parseProduct({ ...PRODUCT, id: '!sesame!', name: 5, currency: '!sesame!' });
    expect(JSON.stringify(parsed)).not.toContain('sesame');
  });
});
