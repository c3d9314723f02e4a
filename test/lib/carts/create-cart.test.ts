import { describe, expect, it } from 'vitest';
import type { CartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { type CartOrder, createCart } from '../../../lib/carts/create-cart.ts';
import type { Product } from '../../../lib/products/product.ts';
import { BUYER } from '../../support/secrets.ts';

const LIFETIME = { expirySeconds: 1_800, retentionSeconds: 86_400 };
const NOW_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);

const product: Product = {
  id: 'course',
  storeId: 'store-1',
  name: 'Course',
  available: true,
  currency: 'EUR',
  pricing: { type: 'fixed', amount: 19.99 },
};

const order = (changes: Partial<CartOrder> = {}): CartOrder => ({
  apiKey: { keyId: 'key-1', storeId: 'store-1', mode: 'live', limit: 60, windowSeconds: 60 },
  secret: 'cck_live_zyxwvutsrqponmlkjihgfedcbaZYXWVU3zMs4J',
  idempotencyKey: undefined,
  request: { productDocumentId: 'course', ...BUYER },
  product,
  lang: undefined,
  nowMs: NOW_MS,
  signal: new AbortController().signal,
  ...changes,
});

/** Carts by id in memory. */
const memoryStore = (): CartStore & { readonly carts: Map<string, Cart>; calls: number } => {
  const carts = new Map<string, Cart>();
  return {
    carts,
    calls: 0,
    create(cart) {
      this.calls += 1;
      const earlier = carts.get(cart.id);
      if (!earlier) carts.set(cart.id, cart);
      return Promise.resolve({ outcome: earlier ? 'exists' : 'created', cart: earlier ?? cart });
    },
    find(cartId) {
      this.calls += 1;
      return Promise.resolve(carts.get(cartId));
    },
  };
};

describe('an order', () => {
  it("becomes a cart of the key's store and mode, at the product's price", async () => {
    const store = memoryStore();
    const creation = await createCart(order(), store, LIFETIME);
    expect(creation).toMatchObject({
      outcome: 'created',
      cart: {
        storeId: 'store-1',
        mode: 'live',
        productId: 'course',
        price: { amount: 19.99, currency: 'EUR' },
        meta: {},
      },
    });
    expect([...store.carts.values()]).toStrictEqual([(creation as { cart: Cart }).cart]);
    expect(store.calls).toBe(1);
  });

  it.each([
    ['fr-CA', 'de-DE', 'fr-CA'],
    [undefined, 'de-DE', 'de-DE'],
    ['fr-CA', undefined, 'fr-CA'],
    [undefined, undefined, undefined],
  ])("takes the locale of the request, else the key's: %s, %s", async (lang, keyLang, expected) => {
    const apiKey = { ...order().apiKey, lang: keyLang };
    const creation = await createCart(order({ lang, apiKey }), memoryStore(), LIFETIME);
    expect((creation as { cart: Cart }).cart.customerInfo.lang).toBe(expected);
  });

  it('is refused, without a database call, for a product that the store cannot sell', async () => {
    const store = memoryStore();
    const refused = { outcome: 'rejected', reason: 'invalidProduct' };
    for (const bad of [undefined, { ...product, available: false }, { ...product, storeId: 'store-2' }]) {
      expect(await createCart(order({ product: bad }), store, LIFETIME)).toStrictEqual(refused);
    }
    expect(store.calls).toBe(0);
  });

  it('is refused, with the field named, for a price that cannot be', async () => {
    const request = { ...order().request, customerPrice: 5 };
    expect(await createCart(order({ request }), memoryStore(), LIFETIME)).toStrictEqual({
      outcome: 'rejected',
      reason: 'invalidPayload',
      details: [{ path: 'customerPrice', message: 'The product has a fixed price' }],
    });
  });
});

describe('an order without an idempotency key', () => {
  it('makes another cart each time, named by a UUID of version 4', async () => {
    const store = memoryStore();
    await createCart(order(), store, LIFETIME);
    await createCart(order(), store, LIFETIME);
    expect(store.carts.size).toBe(2);
    for (const id of store.carts.keys()) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('is created, not replayed, where the SDK repeated its write and found its own cart', async () => {
    const store = memoryStore();
    const lostResponse: CartStore = {
      find: store.find.bind(store),
      create: async (cart) => {
        await store.create(cart);
        return store.create(cart);
      },
    };
    const creation = await createCart(order(), lostResponse, LIFETIME);
    expect(creation.outcome).toBe('created');
    expect(store.carts.size).toBe(1);
  });
});

describe('an order with an idempotency key', () => {
  const idempotencyKey = 'order-1';

  it('makes one cart, however often it comes, and tells it replayed', async () => {
    const store = memoryStore();
    const first = await createCart(order({ idempotencyKey }), store, LIFETIME);
    const retry = await createCart(order({ idempotencyKey, nowMs: NOW_MS + 5_000 }), store, LIFETIME);
    expect(first.outcome).toBe('created');
    expect(retry).toStrictEqual({ ...first, outcome: 'replayed' });
    expect(store.carts.size).toBe(1);
  });

  it('is refused for another payload', async () => {
    const store = memoryStore();
    await createCart(order({ idempotencyKey }), store, LIFETIME);
    const request = { ...order().request, phone: '1' };
    const reused = { outcome: 'rejected', reason: 'idempotencyKeyReused' };
    expect(await createCart(order({ idempotencyKey, request }), store, LIFETIME)).toStrictEqual(reused);
  });

  it('still finds its cart after the product was withdrawn or its price changed to free', async () => {
    const store = memoryStore();
    const first = await createCart(order({ idempotencyKey }), store, LIFETIME);
    const freePricing: Product = { ...product, pricing: { type: 'free' } };
    for (const changed of [undefined, { ...product, available: false }, freePricing]) {
      const retry = await createCart(order({ idempotencyKey, product: changed }), store, LIFETIME);
      expect(retry).toStrictEqual({ ...first, outcome: 'replayed' });
    }
  });

  it('is refused as any other where no cart was made', async () => {
    expect(
      await createCart(order({ idempotencyKey, product: undefined }), memoryStore(), LIFETIME),
    ).toStrictEqual({
      outcome: 'rejected',
      reason: 'invalidProduct',
    });
  });
});
