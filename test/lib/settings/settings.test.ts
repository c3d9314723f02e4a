import { describe, expect, it } from 'vitest';
import { readSettings, variableOf, variablesOf } from '../../../lib/settings/settings.ts';

const SOURCE = {
  STAGE_NAME: 'my-branch-2',
  API_KEYS_TABLE: 'prod-api-keys',
  PRODUCTS_TABLE: 'prod-products',
  CARTS_TABLE: 'prod_carts.1',
  LIVE_CHECKOUT_URL: 'https://pay.example.com/checkout',
  SANDBOX_CHECKOUT_URL: 'http://localhost:3000/sandbox',
  CART_EXPIRY_SECONDS: '86400',
  CART_RETENTION_SECONDS: '2592000',
  PERSONAL_DATA_DAYS: '730',
};

const VALUES = {
  stageName: SOURCE.STAGE_NAME,
  apiKeysTable: SOURCE.API_KEYS_TABLE,
  productsTable: SOURCE.PRODUCTS_TABLE,
  cartsTable: SOURCE.CARTS_TABLE,
  liveCheckoutUrl: SOURCE.LIVE_CHECKOUT_URL,
  sandboxCheckoutUrl: SOURCE.SANDBOX_CHECKOUT_URL,
  cartExpirySeconds: 86_400,
  cartRetentionSeconds: 2_592_000,
  personalDataDays: 730,
};

const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[];

/** Reads every setting, as a function does at its cold start. */
const read = (changes: Record<string, string | undefined>) => readSettings(NAMES, { ...SOURCE, ...changes });

const STAGE_NAME_RULE = 'must be 1 to 32 lower-case letters, digits or hyphens';
const TABLE_RULE = 'must be a DynamoDB table name';
const URL_RULE = 'must be an http(s) address without query or trailing slash';
const EXPIRY_RULE = 'must be a whole number from 1800 to 2592000';
const RETENTION_RULE = 'must be a whole number from 86400 to 315360000';

const unusable = (issues: string) => new Error(`The environment is not usable: ${issues}.`);

describe('the environment', () => {
  it('is read to typed values', () => {
    expect(read({})).toStrictEqual(VALUES);
  });

  it('may have invalid variables that a function does not need', () => {
    const source = { CARTS_TABLE: 'carts', CART_EXPIRY_SECONDS: 'none' };
    expect(readSettings(['cartsTable'], source).cartsTable).toBe('carts');
  });

  it.each(Object.keys(SOURCE))('is rejected without %s, with its name', (name) => {
    for (const value of [undefined, '']) {
      expect(() => read({ [name]: value })).toThrow(unusable(`${name} is missing`));
    }
  });

  it('is rejected with the names of all its wrong variables', () => {
    const issues = `STAGE_NAME ${STAGE_NAME_RULE}, CARTS_TABLE is missing, PERSONAL_DATA_DAYS must be at least 33`;
    const changes = { STAGE_NAME: 'Prod', CARTS_TABLE: undefined, PERSONAL_DATA_DAYS: '1' };
    expect(() => read(changes)).toThrow(unusable(issues));
  });

  it('may lack what a stage may lack', () => {
    const settings = readSettings(['auditLogGroup', 'webhookLoopback'], { WEBHOOK_LOOPBACK: '' });
    expect(settings).toStrictEqual({ auditLogGroup: undefined, webhookLoopback: undefined });
    expect(readSettings(['webhookLoopback'], { WEBHOOK_LOOPBACK: 'true' }).webhookLoopback).toBe(true);
  });
});

describe('the variable of a setting', () => {
  it('has the words of its name in capitals', () => {
    expect(variableOf('slowTestDeliveryQueueUrl')).toBe('SLOW_TEST_DELIVERY_QUEUE_URL');
    expect(variablesOf({ cartsTable: 'carts' })).toStrictEqual({ CARTS_TABLE: 'carts' });
  });
});

const pay = 'https://pay.example.com';

describe('a variable', () => {
  it.each([
    ['STAGE_NAME', ['a', '7', 'a'.repeat(32), 'pr-7']],
    ['API_KEYS_TABLE', ['abc', 'a'.repeat(255), 'A.b_c-1']],
    ['LIVE_CHECKOUT_URL', [pay, pay.toUpperCase(), 'https://a.example/b/c', 'http://[::1]/a']],
    ['CART_EXPIRY_SECONDS', ['1800', '2592000']],
    ['CART_RETENTION_SECONDS', ['86400', '315360000']],
    ['PERSONAL_DATA_DAYS', ['33', '3650']],
  ])('is accepted at its bounds: %s', (name, values) => {
    for (const value of values) expect(() => read({ [name]: value }), value).not.toThrow();
  });

  it.each([
    ['STAGE_NAME', STAGE_NAME_RULE, ['a'.repeat(33), 'Prod', 'my_branch', 'a b', 'prod\n', 'größe']],
    ['API_KEYS_TABLE', TABLE_RULE, ['ab', 'a'.repeat(256), 'a b c', 'tables/keys', 'schlüssel', 'keys\n']],
    ['PRODUCTS_TABLE', TABLE_RULE, ['arn:aws:dynamodb:eu-west-1:1:table/x']],
    ['CARTS_TABLE', TABLE_RULE, ['carts!']],
    ['LIVE_CHECKOUT_URL', URL_RULE, ['pay.example.com', 'ftp://pay.example.com', 'https://', 'undefined']],
    ['LIVE_CHECKOUT_URL', URL_RULE, [`${pay}/`, `${pay}/a/`, `${pay}/a?b=c`, `${pay}?b=c`, `${pay}/#top`]],
    ['LIVE_CHECKOUT_URL', URL_RULE, ['https://me:hunter2@pay.example.com', `${pay}/a b`, ` ${pay}`]],
    ['LIVE_CHECKOUT_URL', URL_RULE, [`${pay}\n`, `${pay}:65536`, 'https://[::1/']],
    ['SANDBOX_CHECKOUT_URL', URL_RULE, ['javascript:alert(1)']],
    ['CART_EXPIRY_SECONDS', EXPIRY_RULE, ['1800.5', 'one day', '24h', 'NaN', 'Infinity', '1e400']],
    ['CART_EXPIRY_SECONDS', 'must be at least 1800', ['1799', '-86400', '0', ' ']],
    ['CART_EXPIRY_SECONDS', 'must be at most 2592000', ['2592001']],
    ['CART_RETENTION_SECONDS', RETENTION_RULE, ['86400.5', 'a month', 'Infinity']],
    ['CART_RETENTION_SECONDS', 'must be at least 86400', ['86399']],
    ['CART_RETENTION_SECONDS', 'must be at most 315360000', ['315360001']],
    ['PERSONAL_DATA_DAYS', 'must be at least 33', ['32']],
    ['PERSONAL_DATA_DAYS', 'must be at most 3650', ['3651']],
  ])('is rejected with its name and rule, and never its value: %s %s', (name, rule, values) => {
    for (const value of values)
      expect(() => read({ [name]: value }), value).toThrow(unusable(`${name} ${rule}`));
  });
});
