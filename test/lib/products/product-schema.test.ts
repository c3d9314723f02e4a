import { describe, expect, it } from 'vitest';
import { parseProduct } from '../../../lib/products/product-schema.ts';
import { fixedProduct } from '../../support/products.ts';

const PRODUCT = fixedProduct();
const fixed = (amount: unknown) => ({ pricing: { type: 'fixed', amount } });
const free = (bounds: object) => ({ pricing: { type: 'free', ...bounds } });

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

  it.each<[string, object, string[]]>([
    ['no id', { id: undefined }, ['id']],
    ['an id with a slash', { id: 'a/b' }, ['id']],
    ['an id that is too long', { id: 'x'.repeat(129) }, ['id']],
    ['an empty store', { storeId: '' }, ['storeId']],
    ['no name', { name: '' }, ['name']],
    ['a name of spaces', { name: ' \t\u3000' }, ['name']],
    ['a name of zero width', { name: '\u200B\u2060\uFEFF' }, ['name']],
    ['a name of fillers', { name: '\u3164\u115F' }, ['name']],
    ['a name of controls', { name: '\u0000\u009B' }, ['name']],
    ['a name that is too long', { name: 'x'.repeat(201) }, ['name']],
    ['a name with half of a surrogate pair', { name: '\uD83C' }, ['name']],
    ['availability in words', { available: 'yes' }, ['available']],
    ['an unknown currency', { currency: 'XYZ' }, ['currency']],
    ['a currency in lower case', { currency: 'eur' }, ['currency']],
    ['a withdrawn currency', { currency: 'DEM' }, ['currency']],
    ['a metal', { currency: 'XAU' }, ['currency']],
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
    ['several issues', { id: '', currency: 'XYZ' }, ['currency', 'id']],
  ])('is rejected with the path of each issue: %s', (_what, changes, paths) => {
    const parsed = parseProduct({ ...PRODUCT, ...changes });
    expect((parsed.ok ? [] : parsed.issues.map(({ path }) => path)).toSorted()).toStrictEqual(paths);
  });

  it.each([
    [{ currency: 'KWD', ...fixed(0) }, 'Must be a payable amount in KWD: above 0, with at most 3 decimals'],
    [free({ minimum: 5, suggested: 4 }), 'Must be at least the minimum'],
    [{ colour: 'red' }, 'Has an unknown field colour'],
    [{ id: 'a b' }, 'Must be 1 to 128 letters, digits, _ or -'],
    [{ name: '\u200b' }, 'Must have a visible character'],
    [{ available: 'yes' }, 'Must be true or false'],
    [{ currency: 'eur' }, 'Must be a currency of ISO 4217, such as EUR'],
    [{ pricing: { type: 'auction' } }, 'Must be of type fixed or free'],
    [fixed('5'), 'Must be a number'],
  ])('is rejected with a message that says what is valid: %j', (changes, message) => {
    expect(parseProduct({ ...PRODUCT, ...changes })).toMatchObject({ issues: [{ message }] });
  });

  it.each([undefined, null, 'course', 5, []])('is an object, not %j', (value) => {
    expect(parseProduct(value)).toMatchObject({ ok: false, issues: [{ message: 'Must be a product' }] });
  });

  it('is not repeated by its rejection', () => {
    const parsed = parseProduct({ ...PRODUCT, id: '!sesame!', name: 5, currency: '!sesame!' });
    expect(JSON.stringify(parsed)).not.toContain('sesame');
  });
});
