import { createHash } from 'node:crypto';
import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { CART_LIFETIME } from '../../../../infra/stage/stage-config.ts';
import { apiKeyId } from '../../../../lib/api-keys/api-key.ts';
import type { StoredApiKey } from '../../../../lib/api-keys/stored-api-key.ts';
import { type Cart, newCart } from '../../../../lib/carts/cart.ts';
import { type BucketLimits, emissionIntervalMicros } from '../../../../lib/token-bucket/token-bucket.ts';
import { BUYER } from '../../../support/secrets.ts';

const STORE = DEMO_STORES[0];

export const PRODUCT = STORE.products.find(
  ({ available, pricing }) => available && pricing.type === 'fixed',
)!;

/** The fastest limits that an operator can set. */
export const AMPLE_LIMITS: BucketLimits = { limit: 1_000_000, windowSeconds: 1_000 };

const META = { orderId: '4711', campaign: 'autumn' } as const;
const RETURN_URL = 'https://shop.example.com/thanks?cart={CART_ID}';

/** A request body that creates a cart like {@link benchCart}. */
export const CART_BODY = JSON.stringify({
  productDocumentId: PRODUCT.id,
  ...BUYER,
  redirectURL: RETURN_URL,
  meta: META,
});

export const benchCart = (id: string, nowMs: number, meta: Cart['meta'] = META): Cart =>
  newCart(
    {
      id,
      storeId: STORE.id,
      mode: 'test',
      customerInfo: BUYER,
      productId: PRODUCT.id,
      productName: PRODUCT.name,
      price: { amount: 49.9, currency: 'EUR' },
      returnUrl: RETURN_URL,
      meta,
      requestFingerprint: 'f'.repeat(43),
      nowMs,
    },
    CART_LIFETIME,
  );

/** A key as the service stores it, with this number of tokens in its bucket. */
export const keyItem = (
  secret: string,
  limits: BucketLimits,
  nowMs: number,
  tokens = limits.limit,
): StoredApiKey => {
  const intervalMicros = emissionIntervalMicros(limits);
  const takenMicros = (limits.limit - tokens) * intervalMicros;
  return {
    keyId: apiKeyId(secret),
    storeId: STORE.id,
    mode: 'test',
    ...limits,
    createdAtMs: nowMs,
    tatMicros: takenMicros > 0 ? nowMs * 1_000 + takenMicros : 0,
    emissionIntervalMicros: intervalMicros,
  };
};

/** The id of the cart with this number: spread over the table like a random id. */
export const cartIdOf = (index: number): string =>
  createHash('sha256')
    .update(String(index))
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
