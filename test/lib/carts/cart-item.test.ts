import { randomUUID } from 'node:crypto';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromCartItem, toCartItem } from '../../../lib/carts/cart-item.ts';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { UnreadableItemError } from '../../../lib/database/readable-item.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { payment, waitingCart } from '../../support/domain/payments.ts';

/** DynamoDB returns objects that have a prototype. */
const PLAIN = { noNullPrototype: true };

const text = fc.string({ unit: 'binary' });
/** Every key that a request may have. The API rejects `__proto__`. */
const metaKey = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.constantFrom('constructor', 'toString', 'prototype', 'length', 'S', 'NULL', '10', '9', '#a', 'a.b'),
  )
  .filter((key) => key !== '__proto__');
const price = fc.record(
  {
    amount: fc.constantFrom(0.01, 19.99, 0.1 + 0.2, 1_000_000_000_000.01, Number.MAX_SAFE_INTEGER),
    currency: fc.constantFrom('EUR', 'JPY'),
  },
  PLAIN,
);

const buyer = fc.record(
  { firstName: text, lastName: text, email: text, phone: text },
  { ...PLAIN, requiredKeys: [] },
);
const REQUIRED = {
  mode: fc.constantFrom('live', 'test'),
  status: fc.constantFrom('waiting_payment', 'completed', 'payment_failed'),
  createdAtMs: fc.nat(),
  customerInfo: buyer,
  productName: text,
  price,
  meta: fc.dictionary(metaKey, text, PLAIN),
} as const;
const OPTIONAL = {
  returnUrl: text,
  paymentId: fc.uuid(),
  payments: fc.array(price.map(payment)),
  latePayment: fc.constant(true as const),
  personalDataErasedAtMs: fc.nat(),
} as const;
const anyCart: fc.Arbitrary<Cart> = fc
  .tuple(fc.record(REQUIRED), fc.record(OPTIONAL, { requiredKeys: [] }))
  .map(([required, optional]) => waitingCart({ ...required, ...optional }));

describe('a cart', () => {
  it('is read from its item as it was, in memory and from DynamoDB', async () => {
    const { documents, tableNames } = await givenDatabase();
    const carts = createCartRepository(documents, tableNames.carts, () => NOW_MS);
    await fc.assert(
      fc.asyncProperty(anyCart, async (cart) => {
        expect(fromCartItem(unmarshall(marshall(toCartItem(cart))))).toStrictEqual(cart);
        // Shrinking runs a cart again.
        const stored = { ...cart, id: randomUUID() };
        await carts.create(stored);
        expect(await carts.find(stored.id)).toStrictEqual(stored);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps its return address in the attribute of earlier releases', () => {
    const item = toCartItem(waitingCart({ returnUrl: 'https://shop.example' }));
    expect(item).toHaveProperty('redirectUrl', 'https://shop.example');
    expect(item).not.toHaveProperty('returnUrl');
  });

  it('keeps the fields of a later release', () => {
    const cart = { ...waitingCart(), constructor: 'a', addedLater: 'b' };
    expect(fromCartItem({ ...cart, schemaVersion: 1 })).toStrictEqual(cart);
  });

  it('needs every required field, and no optional one', () => {
    const { deleteAtSeconds: _, ...cart } = waitingCart();
    for (const field of Object.keys(cart)) {
      const error = new UnreadableItemError(`A stored cart has no valid ${field}`);
      for (const value of [undefined, true])
        expect(() => fromCartItem({ ...cart, [field]: value })).toThrow(error);
    }
    expect(fromCartItem(cart)).toStrictEqual(cart);
  });
});
