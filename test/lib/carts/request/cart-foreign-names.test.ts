import { expect, it } from 'vitest';
import { CART_FOREIGN_NAMES } from '../../../../lib/carts/request/cart-foreign-names.ts';
import { createCartRequestSchema } from '../../../../lib/carts/request/create-cart-request.ts';
import { unknownNames } from '../../../../lib/requests/unknown-names.ts';
import { BUYER } from '../../../support/secrets.ts';

const find = unknownNames({ body: Object.keys(createCartRequestSchema.shape) }, CART_FOREIGN_NAMES);

const issuesOf = (body: unknown) => find({ body, query: null, headers: {} });

/** `Number` throws on it. */
const NO_NUMBER = { valueOf: 1, toString: 1 };

const ALL = { ...BUYER, productDocumentId: 'course', redirectURL: '', meta: {}, customerPrice: 0 };

it.each([
  ['redirectUrl', 'redirectURL'],
  ['redirect_url', 'redirectURL'],
  ['REDIRECT-URL', 'redirectURL'],
  ['redirect url', 'redirectURL'],
  ['product document id', 'productDocumentId'],
  ['redirectURI', 'redirectURL'],
  ['redirectURLs', 'redirectURL'],
  ['product_id', 'productDocumentId'],
  ['productId', 'productDocumentId'],
  ['productDocumentID', 'productDocumentId'],
  ['product_document_ids', 'productDocumentId'],
  ['first_name', 'firstName'],
  ['firsName', 'firstName'],
  ['Lastname', 'lastName'],
  ['customer_price', 'customerPrice'],
  ['customerPrice_', 'customerPrice'],
  ['e-mail', 'email'],
  ['mail', 'email'],
  ['emaiL', 'email'],
  ['Phone', 'phone'],
  ['_META_', 'meta'],
  ['phones', 'phone'],
  ['metadata', 'meta'],
  ['customData', 'meta'],
  ['custom_data', 'meta'],
  ['returnUrl', 'redirectURL'],
  ['return_url', 'redirectURL'],
  ['success_url', 'redirectURL'],
  ['successUrl', 'redirectURL'],
  ['emial', 'email'],
  ['cancel_url', 'cancelURL'],
  ['fristName', 'firstName'],
  ['redirectRUL', 'redirectURL'],
  ['product', 'productDocumentId'],
  ['customerEmail', 'email'],
  ['customer[email]', 'email'],
  ['email[]', 'email'],
  ['given_name', 'firstName'],
  ['phone.number', 'phone'],
])(
  'an unknown field that is one edit or spelling away from an absent field, or its name in other APIs, is misspelled: %s',
  (sent, meant) => {
    const message = `Unknown field ${sent}; did you mean ${meant}?`;
    expect(issuesOf({ [sent]: 'x' })).toStrictEqual([{ path: sent, message, means: meant, loggedAs: meant }]);
    expect(issuesOf({ [sent]: 'x', [meant]: null }), 'null counts as absent').toHaveLength(1);
  },
);

it.each(['redirectUrl', 'product_id', 'customerprice', 'metadata', 'return_url'])(
  'an unknown field beside the right one is not misspelled: %s',
  (sent) => {
    expect(issuesOf({ ...ALL, [sent]: 'x' })).toStrictEqual([]);
  },
);

it.each([
  'price',
  'amount',
  'currency',
  'quantities',
  'meail',
  'emali2',
  'mtea',
  '',
  '_',
  'emaîl',
  'e\u0000mail',
])('a field with another name is not misspelled: %j', (name) => {
  expect(issuesOf({ [name]: 'x' })).toStrictEqual([]);
});

const OTHER_WORDS = 'beta eta met metal mega metas iphone shone gmail mails hone'.split(' ');

it.each(OTHER_WORDS)('a name that may be a word of its own is not misspelled: %s', (name) => {
  expect(issuesOf({ [name]: 'x' })).toStrictEqual([]);
});

it('reports each misspelled field, but compares only the first 20 unknown names of at most 40 characters', () => {
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`other${i}`, 1]));
  const long = { [`phone${'_'.repeat(36)}`]: 1, [`x${'_'.repeat(40)}`]: 1 };
  expect(issuesOf({ ...long, Phone: 1, Email: 1, e_mail: 1 }).map(({ path }) => path)).toStrictEqual([
    'Phone',
    'Email',
    'e_mail',
  ]);
  expect(issuesOf({ ...BUYER, email: 'a', ...unknown(19), Meta: 1 })).toHaveLength(1);
  expect(issuesOf({ ...BUYER, email: 'a', ...unknown(20), Meta: 1 })).toStrictEqual([]);
});

it.each([undefined, null, 'email', 5, [], ['x']])(
  'a body that is no object has no misspelled field: %j',
  (body) => {
    expect(issuesOf(body)).toStrictEqual([]);
  },
);

it.each([
  ['quantity', 2, 'quantity', 'a cart is for one unit of one product'],
  ['quantity', NO_NUMBER, 'quantity', 'a cart is for one unit of one product'],
  ['Quantity', '0', 'quantity', 'a cart is for one unit of one product'],
  ['customer', { email: 'a' }, 'customer', 'send email, firstName, lastName and phone'],
  ['customer', 1, 'customer', 'send email, firstName, lastName and phone'],
  ['customer', 'cus_1', 'customer', 'send email, firstName, lastName and phone'],
  ['customerInfo', { emial: 'a' }, 'customerinfo', 'send email, firstName, lastName and phone'],
  ['line_items', [], 'lineitems', 'a cart is for one unit of one product: send productDocumentId'],
  ['webhookUrl', 'a', 'webhookurl', 'create a webhook endpoint'],
  ['expires_at', 1, 'expiresat', 'send expiresInMinutes'],
  ['client_reference_id', 'a', 'clientreferenceid', 'use meta'],
  ['couponCode', 'a', 'couponcode', 'carts have no discounts'],
])(
  'a field of other APIs that no field here has says so, beside all fields too: %s %j',
  (path, value, meant, reason) => {
    const message = `Unknown field ${path}; ${reason}`;
    expect(issuesOf({ ...ALL, [path]: value })).toStrictEqual([{ path, message, loggedAs: meant }]);
  },
);

it.each([
  ['quantity', 1],
  ['quantity', '1'],
  ['quantity', null],
  ['customer', null],
  ['line_items', null],
])('a field of other APIs that loses nothing passes: %s %j', (path, value) => {
  expect(issuesOf({ [path]: value })).toStrictEqual([]);
});

it('a name of other APIs beside the fields that have its meaning passes', () => {
  expect(issuesOf({ name: 'Ada' })).toHaveLength(1);
  expect(issuesOf({ cart: { email: 'a' } })).toHaveLength(1);
  expect(issuesOf({ ...ALL, name: 'Ada', cart: {} })).toStrictEqual([]);
  expect(issuesOf({ ...ALL, expiresInMinutes: 60, expiresAt: 1 })).toStrictEqual([]);
});
