import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CART_STATUSES } from '../../lib/carts/cart.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { LOGGED_TYPES } from '../../lib/endpoints/endpoint-event.ts';

interface Contract {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

const contract = (): Contract => JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Contract;

const sourceOf = (name: string): string => readFileSync(`docs/clients/${name}`, 'utf8');

const CODES = Object.values(API_ERRORS).map(({ code }) => code);

test.each([
  ['cart-checkout.mjs', [...CODES, ...LOGGED_TYPES]],
  ['cart_checkout.py', CODES],
  // PHP has no type for them.
  ['CartCheckout.php', []],
])('the client %s declares each field, status, code and event of the contract', (name, texts) => {
  const declared = new Set(sourceOf(name).match(/[\w.]+/g));
  const { schemas } = contract().components;
  const fields = Object.values(schemas).flatMap(({ properties = {} }) => Object.keys(properties));
  expect(fields.length).toBeGreaterThan(20);
  const words = new Set([...fields, ...CART_STATUSES, ...texts]);
  expect([...words].filter((word) => !declared.has(word))).toStrictEqual([]);
});
