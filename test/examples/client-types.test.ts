import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CART_STATUSES } from '../../lib/carts/cart.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { LOGGED_TYPES } from '../../lib/webhooks/endpoint-event.ts';

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

/** Each type of a client's source begins with its name after one of these words. */
const DECLARATION = /(?=@typedef |^class |@phpstan-type )/m;

// A type in parts has all of their fields.
test.each([
  ['cart-checkout.mjs', 'CreateCartCheckoutRequest', ['NewCart']],
  ['cart-checkout.mjs', 'RetrievedCart', ['CreatedCart', 'RetrievedFields']],
  ['cart_checkout.py', 'CreateCartCheckoutRequest', ['_RequiredFields', 'NewCart']],
  ['cart_checkout.py', 'RetrievedCart', ['_ProductFields', 'CreatedCart', '_RetrievedFields', 'Cart']],
  ['CartCheckout.php', 'CreateCartCheckoutRequest', ['NewCart']],
  ['CartCheckout.php', 'RetrievedCart', ['Cart']],
])('the client %s has each field of %s in its types %j', (client, schema, types) => {
  const declarations = sourceOf(client).split(DECLARATION);
  const parts = types.map((type) =>
    declarations.find((each) => new RegExp(`^\\S+(?: \\{object\\})? ${type}\\b`).test(each)),
  );
  const declared = new Set(parts.join('\n').match(/\w+/g));
  expect(parts).not.toContain(undefined);
  const fields = Object.keys(contract().components.schemas[schema]?.properties ?? {});
  expect(fields.filter((field) => !declared.has(field))).toStrictEqual([]);
});
