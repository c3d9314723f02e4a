import { describe, expect, it } from 'vitest';
import { parseProduct } from '../../../../infra/operate/products/product-schema.ts';
import { fixedProduct } from '../../../support/domain/products.ts';

const PRODUCT = fixedProduct();
const fixed = (amount: unknown) => ({ pricing: { type: 'fixed', amount } });
const free = (bounds: object) => ({ pricing: { type: 'free', ...bounds } });

/** The sorted paths of the issues of a product with changes. */
const pathsOf = (changes: object): string[] => {
  const parsed = parseProduct({ ...PRODUCT, ...changes });
  return parsed.ok ? [] : parsed.issues.map(({ path }) => path).toSorted();
};

describe('a product', () => {
  it.each([
    ['with a fixed price', {}],
    ['with a free price', free({})],
    ['with bounds', free({ minimum: 5, suggested: 5 })],
    ['with a minimum alone', free({ minimum: 5 })],
    ['with a suggestion alone', free({ suggested: 5 })],
    ['that is unavailable', { available: false }],
    ['in a currency without decimals', { currency: 'JPY', ...fixed(1_500) }],
    ['in a currency with three decimals', { currency: 'KWD', ...fixed(1.234) }],
    ['with the longest id and name', { id: 'x'.repeat(128), name: '🎈'.repeat(200) }],
  ])('is accepted unchanged: %s', (_what, changes) => {
    const product = { ...PRODUCT, ...changes };
    expect(parseProduct(product)).toStrictEqual({ ok: true, product });
  });

  it('has its name trimmed, and is available by default', () => {
    const { available: _, ...rest } = PRODUCT;
    const product = { ...PRODUCT, name: 'Course' };
    expect(parseProduct({ ...rest, name: ' \u00A0Course\t' })).toStrictEqual({ ok: true, product });
  });

  it.each([
    ['id', [undefined, '', 'a/b', 'x'.repeat(129)]],
    ['storeId', [undefined, '', 'a/b', 'x'.repeat(129)]],
    // Spaces, zero-width characters, fillers, controls, half of a surrogate pair.
    [
      'name',
      ['', 'x'.repeat(201), ' \t\u3000', '\u200B\u2060\uFEFF', '\u3164\u115F', '\u0000\u009B', '\uD83C'],
    ],
    ['available', ['yes']],
    // Unknown, in lower case, withdrawn, a metal.
    ['currency', ['XYZ', 'eur', 'DEM', 'XAU']],
  ])('is rejected with the path of its issue: %s', (field, values) => {
    for (const value of values) expect(pathsOf({ [field]: value }), String(value)).toStrictEqual([field]);
  });

  it.each([
    ['an unknown pricing', { pricing: { type: 'auction' } }, ['pricing.type']],
    ['no amount', fixed(undefined), ['pricing.amount']],
    ['an amount of zero', fixed(0), ['pricing.amount']],
    ['too many decimals', fixed(1.999), ['pricing.amount']],
    ['decimals of JPY', { currency: 'JPY', ...fixed(1.5) }, ['pricing.amount']],
    ['an amount in words', fixed('5'), ['pricing.amount']],
    ['an infinite amount', fixed(Infinity), ['pricing.amount']],
    ['a fixed price with a minimum', { pricing: { type: 'fixed', amount: 5, minimum: 1 } }, ['pricing']],
    ['unpayable bounds', free({ minimum: -1, suggested: 0.001 }), ['pricing.minimum', 'pricing.suggested']],
    ['a suggestion below the minimum', free({ minimum: 5, suggested: 4.99 }), ['pricing.suggested']],
    ['an unknown field', { colour: 'red' }, ['']],
    ['a currency whose decimals are unknown', { currency: 'EURO', ...fixed(19.999) }, ['currency']],
    ['several issues', { id: '', currency: 'XYZ' }, ['currency', 'id']],
  ])('is rejected with the path of each issue: %s', (_what, changes, paths) => {
    expect(pathsOf(changes)).toStrictEqual(paths);
  });

  it.each([
    [{ currency: 'KWD', ...fixed(0) }, 'Must be a payable amount in KWD: above 0, with at most 3 decimals'],
    [free({ minimum: 5, suggested: 4 }), 'Must be at least the minimum'],
    [{ colour: 'red' }, 'Has an unknown field colour'],
    [{ id: 'a b' }, 'Must be 1 to 128 letters, digits, _ or -'],
    [{ name: '\u200b' }, 'Must have a visible character'],
    [{ name: 'Cour\u0000se' }, 'Must have no control character and no direction mark'],
    [{ name: 'Course\u202e' }, 'Must have no control character and no direction mark'],
    [{ available: 'yes' }, 'Must be true or false'],
    [{ currency: 'eur' }, 'Must be a currency of ISO 4217, such as EUR'],
    [{ pricing: { type: 'auction' } }, 'Must be of type fixed or free'],
    [fixed('5'), 'Must be a number'],
    [fixed(-1), 'Must be at least 0'],
    [fixed('0'), 'Must be a number'],
    [fixed('19.990000000000001'), 'Must have at most 15 digits'],
    [fixed('-1'), 'Must be at least 0'],
    [fixed('-.5'), 'Must be at least 0'],
    [fixed('-1e3'), 'Must be at least 0'],
    [fixed({ valueOf: 1, toString: 1 }), 'Must be a number'],
    [fixed(1_234_567_890_123_456), 'Must be at most 9999999999999.99 EUR'],
    [{ currency: 'JPY', ...fixed(10 ** 15) }, 'Must be at most 999999999999999 JPY'],
    [
      { currency: 'JPY', ...fixed(10 ** 15 - 1.5) },
      'Must be a payable amount in JPY: above 0, without decimals',
    ],
  ])('is rejected with a message that says what is valid: %j', (changes, message) => {
    expect(parseProduct({ ...PRODUCT, ...changes })).toMatchObject({ issues: [{ message }] });
  });

  it('is in a current currency of ISO 4217, with its decimals', () => {
    const isAccepted = (currency: string, amount: number) =>
      parseProduct({ ...PRODUCT, currency, ...fixed(amount) }).ok;
    for (const current of ['EUR', 'VED', 'XCG', 'ZWG', 'SLE']) expect(isAccepted(current, 0.01)).toBe(true);
    for (const current of ['CLF', 'UYW']) expect(isAccepted(current, 0.0001)).toBe(true);
    const others = ['HRK', 'BGN', 'ANG', 'CUC', 'ZWL', 'SLL', 'XAU', 'XDR', 'XSU', 'XTS', 'XXX'];
    for (const other of others) expect(isAccepted(other, 1), other).toBe(false);
  });

  it.each([undefined, null, 'course', 5, []])('is an object, not %j', (value) => {
    expect(parseProduct(value)).toMatchObject({ ok: false, issues: [{ message: 'Must be a product' }] });
  });

  it('is never quoted in its validation issues', () => {
    const parsed = parseProduct({ ...PRODUCT, id: '!sesame!', name: 5, currency: '!sesame!' });
    expect(JSON.stringify(parsed)).not.toContain('sesame');
  });
});
