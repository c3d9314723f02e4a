import { describe, expect, it } from 'vitest';
import { readEnv } from '../../lib/env.ts';

const SOURCE = {
  STAGE_NAME: 'my-branch-2',
  API_KEYS_TABLE: 'prod-api-keys',
  PRODUCTS_TABLE: 'prod-products',
  CARTS_TABLE: 'prod_carts.1',
  LIVE_CHECKOUT_URL: 'https://pay.example.com/checkout',
  SANDBOX_CHECKOUT_URL: 'http://localhost:3000/sandbox',
  CART_EXPIRY_SECONDS: '86400',
  CART_RETENTION_SECONDS: '2592000',
};

const ALL = [
  'stageName',
  'apiKeysTable',
  'productsTable',
  'cartsTable',
  'liveCheckoutUrl',
  'sandboxCheckoutUrl',
  'cartExpirySeconds',
  'cartRetentionSeconds',
] as const;

const read = (changes: Record<string, string | undefined>) => readEnv(ALL, { ...SOURCE, ...changes });

const faultOf = (changes: Record<string, string | undefined>): string => {
  try {
    read(changes);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the environment', () => {
  it('is read to typed values', () => {
    expect(read({})).toStrictEqual({
      stageName: 'my-branch-2',
      apiKeysTable: 'prod-api-keys',
      productsTable: 'prod-products',
      cartsTable: 'prod_carts.1',
      liveCheckoutUrl: 'https://pay.example.com/checkout',
      sandboxCheckoutUrl: 'http://localhost:3000/sandbox',
      cartExpirySeconds: 86_400,
      cartRetentionSeconds: 2_592_000,
    });
  });

  it('need only hold what a function asks for', () => {
    expect(readEnv(['cartsTable'], { CARTS_TABLE: 'carts', CART_EXPIRY_SECONDS: 'none' })).toStrictEqual({
      cartsTable: 'carts',
    });
    expect(readEnv([], {})).toStrictEqual({});
  });

  it.each(Object.keys(SOURCE))('is refused without %s, by its name', (name) => {
    const message = `The environment is not usable: ${name} is missing.`;
    expect(() => read({ [name]: undefined })).toThrow(new Error(message));
    expect(() => read({ [name]: '' })).toThrow(new Error(message));
  });

  it('is refused with every fault named in one sentence', () => {
    expect(() =>
      read({ API_KEYS_TABLE: undefined, CART_EXPIRY_SECONDS: '1799', LIVE_CHECKOUT_URL: '' }),
    ).toThrow(
      new Error(
        'The environment is not usable: API_KEYS_TABLE is missing, LIVE_CHECKOUT_URL is missing, ' +
          'CART_EXPIRY_SECONDS must be at least 1800.',
      ),
    );
  });
});

describe('a variable', () => {
  it.each([
    ['STAGE_NAME', ['a', '7', 'a'.repeat(32), 'pr-7']],
    ['API_KEYS_TABLE', ['abc', 'a'.repeat(255), 'A.b_c-1']],
    [
      'LIVE_CHECKOUT_URL',
      [
        'https://pay.example.com',
        'http://localhost:3000',
        'https://a.example/b/c',
        'http://[::1]/a',
        'HTTPS://PAY.EXAMPLE.COM',
      ],
    ],
    ['CART_EXPIRY_SECONDS', ['1800', '2592000']],
    ['CART_RETENTION_SECONDS', ['86400', '315360000']],
  ])('may be at its bounds: %s', (name, values) => {
    for (const value of values) expect(() => read({ [name]: value }), value).not.toThrow();
  });

  it.each([
    ['STAGE_NAME', ['a'.repeat(33), 'Prod', 'my_branch', 'a b', 'prod\n', 'größe']],
    ['API_KEYS_TABLE', ['ab', 'a'.repeat(256), 'a b c', 'tables/keys', 'schlüssel', 'keys\n']],
    ['PRODUCTS_TABLE', ['arn:aws:dynamodb:eu-west-1:1:table/x']],
    ['CARTS_TABLE', ['carts!']],
    [
      'LIVE_CHECKOUT_URL',
      [
        'pay.example.com',
        'ftp://pay.example.com',
        'https://',
        'https://pay.example.com/',
        'https://pay.example.com/checkout/',
        'https://pay.example.com/checkout?a=b',
        'https://pay.example.com?a=b',
        'https://pay.example.com/#top',
        'https://user:secret@pay.example.com',
        'https://pay.example.com/a b',
        ' https://pay.example.com',
        'https://pay.example.com\n',
        'undefined',
        'https://pay.example.com:65536',
        'https://[::1/',
      ],
    ],
    ['SANDBOX_CHECKOUT_URL', ['javascript:alert(1)']],
    [
      'CART_EXPIRY_SECONDS',
      ['1799', '2592001', '1800.5', '-86400', '0', ' ', 'one day', '24h', 'NaN', 'Infinity', '1e400'],
    ],
    ['CART_RETENTION_SECONDS', ['86399', '315360001', '86400.5', 'a month', 'Infinity']],
  ])('is refused out of its bounds, by name and never by value: %s', (name, values) => {
    for (const value of values) {
      const fault = faultOf({ [name]: value });
      expect(fault, value).toMatch(new RegExp(`^The environment is not usable: ${name} [^.]+\\.$`));
      expect(fault.split(/[ .]/), value).not.toContain(value);
    }
  });

  it.each([
    ['STAGE_NAME', 'Prod', 'must be 1 to 32 lower-case letters, digits or hyphens'],
    ['CARTS_TABLE', 'carts!', 'must be a DynamoDB table name'],
    ['LIVE_CHECKOUT_URL', 'https://', 'must be an http(s) address without query or trailing slash'],
    ['CART_EXPIRY_SECONDS', 'one day', 'must be a whole number from 1800 to 2592000'],
    ['CART_EXPIRY_SECONDS', '1800.5', 'must be a whole number from 1800 to 2592000'],
    ['CART_EXPIRY_SECONDS', '1799', 'must be at least 1800'],
    ['CART_EXPIRY_SECONDS', '2592001', 'must be at most 2592000'],
  ])('is refused with what would be right: %s=%s', (name, value, message) => {
    expect(faultOf({ [name]: value })).toBe(`The environment is not usable: ${name} ${message}.`);
  });

  it('is never quoted, not even in part', () => {
    const value = 'https://admin:hunter2@pay.example.com';
    expect(faultOf({ LIVE_CHECKOUT_URL: value })).not.toMatch(/admin|hunter2|pay\.example/);
    expect(faultOf({ API_KEYS_TABLE: 'cck_live_hunter2!' })).not.toContain('hunter2');
    expect(faultOf({ CART_EXPIRY_SECONDS: 'hunter2' })).not.toContain('hunter2');
  });
});
