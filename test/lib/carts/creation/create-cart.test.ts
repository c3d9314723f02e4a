import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../../lib/api-keys/api-key.ts';
import type { CartRepository } from '../../../../lib/carts/cart-repository.ts';
import type { Cart, CartLifetime } from '../../../../lib/carts/cart.ts';
import {
  type CartOrder,
  type CartRejection,
  createCart,
} from '../../../../lib/carts/creation/create-cart.ts';
import {
  type CreateCartRequest,
  createCartRequestSchema,
} from '../../../../lib/carts/request/create-cart-request.ts';
import { erasedCart } from '../../../../lib/erasures/erased-cart.ts';
import type { Product } from '../../../../lib/products/product.ts';
import { CREATED_AT_MS, LIFETIME } from '../../../support/domain/payments.ts';
import { fixedProduct } from '../../../support/domain/products.ts';
import { BUYER } from '../../../support/secrets.ts';

const order = (changes: Partial<CartOrder> = {}): CartOrder => ({
  apiKey: { keyId: 'key-1', storeId: 'store-1', mode: 'live', limit: 60, windowSeconds: 60 },
  request: { productDocumentId: 'course', ...BUYER },
  product: fixedProduct(),
  nowMs: CREATED_AT_MS,
  signal: new AbortController().signal,
  ...changes,
});

type Carts = Pick<CartRepository, 'create' | 'find'>;

/** Carts by id in memory. */
const memoryRepository = (): Carts & { readonly carts: Map<string, Cart>; calls: number } => {
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

const create = (
  changes: Partial<CartOrder> = {},
  store: Carts = memoryRepository(),
  lifetime: CartLifetime = LIFETIME,
) =>
  createCart(order(changes), {
    carts: { live: store, test: store },
    idempotencySecret: () => Promise.resolve(new Uint8Array(32)),
    lifetime,
  });

const UNSELLABLE = [undefined, fixedProduct({ available: false }), fixedProduct({ storeId: 'store-2' })];

describe('an order', () => {
  it("becomes a cart of the key's store and mode, at the product's price, by one database call", async () => {
    const store = memoryRepository();
    const creation = await create({}, store);
    const price = { amount: 19.99, currency: 'EUR' };
    const expected = { storeId: 'store-1', mode: 'live', productId: 'course', price, meta: {} };
    expect(creation).toMatchObject({ outcome: 'created', cart: expected });
    expect([...store.carts.values()]).toStrictEqual([(creation as { cart: Cart }).cart]);
    expect(store.calls).toBe(1);
  });

  it("is rejected with the stage's longest life in whole minutes", async () => {
    const request = { ...order().request, expiresInMinutes: 91 };
    const creation = await create({ request }, undefined, { ...LIFETIME, expirySeconds: 90 * 60 + 30 });
    const details = [{ path: 'expiresInMinutes', message: 'Must be at most 90' }];
    expect(creation).toStrictEqual({ outcome: 'rejected', reason: 'invalidPayload', details });
  });

  it('keeps a request field that is added later, and none that it converts', async () => {
    const request = {
      ...order().request,
      redirectURL: 'https://a.example/',
      cancelURL: 'https://b.example/',
      gift: 'a',
    };
    const { cart } = (await create({ request })) as { cart: Cart };
    expect(cart).toMatchObject({
      gift: 'a',
      returnUrl: 'https://a.example/',
      cancelUrl: 'https://b.example/',
    });
    for (const field of [
      'productDocumentId',
      'redirectURL',
      'cancelURL',
      'customerPrice',
      ...Object.keys(BUYER),
    ])
      expect(cart).not.toHaveProperty(field);
  });

  it.each([
    ['es-419', 'fr-CA', 'de-DE', 'es-419'],
    [undefined, 'fr-CA', 'de-DE', 'fr-CA'],
    [undefined, undefined, 'de-DE', 'de-DE'],
    [undefined, undefined, undefined, undefined],
  ])(
    "has the locale of the body, else that of the header, else the key's: %s, %s, %s",
    async (ofBody, lang, keyLang, expected) => {
      const request = { ...order().request, lang: ofBody };
      const creation = await create({ request, lang, apiKey: { ...order().apiKey, lang: keyLang } });
      expect((creation as { cart: Cart }).cart.customerInfo.lang).toBe(expected);
    },
  );

  it('is rejected without a database call if the store cannot sell the product', async () => {
    const store = memoryRepository();
    const rejected = { outcome: 'rejected', reason: 'invalidProduct' };
    for (const product of UNSELLABLE) expect(await create({ product }, store)).toStrictEqual(rejected);
    expect(store.calls).toBe(0);
  });

  it('is rejected with the name of the field if the price is invalid', async () => {
    const message = "Must be 19.99 EUR, the product's fixed price, not 5 EUR";
    expect(await create({ request: { ...order().request, customerPrice: 5 } })).toStrictEqual({
      outcome: 'rejected',
      reason: 'invalidPayload',
      details: [{ path: 'customerPrice', message }],
    });
  });

  it('is rejected without a database call if it states another price', async () => {
    const store = memoryRepository();
    const stating = (value: number) => create({ statedPrices: [{ path: 'price', value }] }, store);
    expect(await stating(20)).toStrictEqual({
      outcome: 'rejected',
      reason: 'invalidPayload',
      details: [
        { path: 'price', message: 'Unknown field price; the price of the product is fixed: omit the field' },
      ],
    });
    expect(store.calls).toBe(0);
    expect(await stating(19.99)).toMatchObject({ outcome: 'created' });
  });
});

describe('an order without an idempotency key', () => {
  it('creates another cart each time, with a UUID of version 4', async () => {
    const store = memoryRepository();
    await create({}, store);
    await create({}, store);
    expect(store.carts.size).toBe(2);
    for (const id of store.carts.keys()) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('is created, not replayed, if the SDK retries its write and finds its own cart', async () => {
    const store = memoryRepository();
    const lostResponse: Carts = {
      find: store.find.bind(store),
      create: async (cart) => {
        await store.create(cart);
        return store.create(cart);
      },
    };
    expect(await create({}, lostResponse)).toMatchObject({ outcome: 'created' });
    expect(store.carts.size).toBe(1);
  });
});

describe('an order with an idempotency key', () => {
  const idempotencyKey = 'order-1';
  const DIFFERS = 'Differs from the first request with this Idempotency-Key';
  const reusedWith = (path: string): CartRejection => ({
    outcome: 'rejected',
    reason: 'idempotencyKeyReused',
    details: [{ path, message: DIFFERS }],
  });

  it('creates one cart, which retries replay even if the product or its price has changed', async () => {
    const store = memoryRepository();
    const first = await create({ idempotencyKey }, store);
    expect(first.outcome).toBe('created');
    for (const product of [fixedProduct(), ...UNSELLABLE, fixedProduct({ pricing: { type: 'free' } })]) {
      const retry = await create({ idempotencyKey, product, nowMs: CREATED_AT_MS + 5_000 }, store);
      expect(retry).toStrictEqual({ ...first, outcome: 'replayed' });
    }
    expect(store.carts.size).toBe(1);
  });

  it.each([fixedProduct(), undefined])('is rejected for another payload', async (product) => {
    const store = memoryRepository();
    await create({ idempotencyKey }, store);
    const request = { ...order().request, phone: '1' };
    expect(await create({ idempotencyKey, request, product }, store)).toStrictEqual(reusedWith('phone'));
  });

  /** Another value of each field. Of a later one, a text. */
  const OTHER: Omit<Required<CreateCartRequest>, 'customerPrice'> = {
    ...(Object.fromEntries(
      Object.keys(createCartRequestSchema.shape)
        .filter((field) => field !== 'customerPrice')
        .map((field) => [field, 'other']),
    ) as object as Required<CreateCartRequest>),
    productDocumentId: 'other',
    email: 'other@buyer.example',
    firstName: 'Other',
    lastName: 'Other',
    phone: '1',
    lang: 'de-AT',
    redirectURL: 'https://other.example/',
    cancelURL: 'https://other.example/',
    meta: { a: 'other' },
    expiresInMinutes: 30,
  };

  it.each(Object.entries(OTHER))('names the field that differs, sent or absent: %s', async (field, value) => {
    const [path, message] =
      field === 'expiresInMinutes'
        ? ['headers.idempotency-key', 'The first request had another customerPrice, expiresInMinutes or lang']
        : [field, DIFFERS];
    const changed = { ...order().request, [field]: value };
    const requests = [order().request, changed] as const;
    // Without the field, its default may be equal: `lang` is then that of the header.
    const orders =
      field === 'lang' || field === 'productDocumentId' ? [requests] : [requests, requests.toReversed()];
    for (const [first, second] of orders) {
      const store = memoryRepository();
      await create({ idempotencyKey, request: first }, store);
      expect(await create({ idempotencyKey, request: second }, store)).toMatchObject({
        reason: 'idempotencyKeyReused',
        details: [{ path, message }],
      });
    }
  });

  it('names every field that differs, and no value', async () => {
    const store = memoryRepository();
    await create({ idempotencyKey }, store);
    const request = { ...order().request, ...OTHER, customerPrice: 5 };
    const { details = [] } = (await create({ idempotencyKey, request }, store)) as CartRejection;
    expect(details.map(({ path }) => path).toSorted()).toStrictEqual(
      Object.keys({ ...OTHER, customerPrice: 5 })
        .filter((field) => field !== 'expiresInMinutes')
        .toSorted(),
    );
    expect(new Set(details.map(({ message }) => message))).toStrictEqual(new Set([DIFFERS]));
  });

  it('replays an erased cart, whose fingerprint is gone, for the same product and price, and creates no second one', async () => {
    const store = memoryRepository();
    const { cart } = (await create({ idempotencyKey }, store)) as { cart: Cart };
    store.carts.set(cart.id, erasedCart(cart, CREATED_AT_MS));
    const retry = (changes: object, product?: Product) =>
      create({ idempotencyKey, request: { ...order().request, ...changes }, product }, store);
    const replayed = { outcome: 'replayed', cart: erasedCart(cart, CREATED_AT_MS) };
    // The service cannot know the buyer of the first request.
    for (const changes of [{}, { customerPrice: 19.99 }, { email: 'other@buyer.example' }]) {
      expect(await retry(changes, fixedProduct())).toStrictEqual(replayed);
      expect(await retry(changes)).toStrictEqual(replayed);
    }
    const other = { email: 'other@buyer.example', phone: '1' };
    expect(await retry({ ...other, customerPrice: 5 })).toStrictEqual(reusedWith('customerPrice'));
    expect(
      await retry({ ...other, productDocumentId: 'poster' }, fixedProduct({ id: 'poster' })),
    ).toStrictEqual(reusedWith('productDocumentId'));
    expect(store.carts.size).toBe(1);
  });

  it('belongs to a store and mode: any of their API keys replays it, and no other creates the same cart', async () => {
    const store = memoryRepository();
    const { apiKey } = order();
    const createBy = (changes: Partial<ApiKey>) =>
      create({ idempotencyKey, apiKey: { ...apiKey, ...changes } }, store);
    const first = await createBy({});
    expect(await createBy({ keyId: 'key-2', lang: 'de-DE' })).toStrictEqual({
      ...first,
      outcome: 'replayed',
    });
    expect(await createBy({ mode: 'test' })).toMatchObject({ outcome: 'created' });
    expect(store.carts.size).toBe(2);
  });

  it('is rejected like any other if it has no cart yet', async () => {
    const rejected = { outcome: 'rejected', reason: 'invalidProduct' };
    expect(await create({ idempotencyKey, product: undefined })).toStrictEqual(rejected);
  });
});
