import { createHash } from 'node:crypto';
import { apiKeyId, withChecksum } from '../../../../lib/api-keys/api-key.ts';
import type { StoredApiKey } from '../../../../lib/api-keys/stored-api-key.ts';
import { emissionIntervalMicros } from '../../../../lib/api-keys/token-bucket.ts';
import { toItem } from '../../../../lib/carts/cart-item.ts';
import { newCart } from '../../../../lib/carts/cart.ts';
import { AMPLE_LIMITS } from '../support/database.ts';

const LIFETIME = { expirySeconds: 86_400, retentionSeconds: 30 * 86_400 };

/** The id of the cart of a number: as spread over the table as a random one. */
export const cartIdOf = (index: number): string =>
  createHash('sha256')
    .update(String(index))
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

/** A cart of the first demo store as the service would store it. */
export const seededCart = (id: string, nowMs: number): Record<string, unknown> =>
  toItem(
    newCart(
      {
        id,
        storeId: 'demo-store-one',
        mode: 'test',
        customerInfo: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.com',
          phone: '+442079460000',
        },
        productId: 'one-course',
        productName: 'Course',
        price: { amount: 49.9, currency: 'EUR' },
        redirectUrl: 'https://shop.example.com/thanks?cart={CART_ID}',
        meta: { orderId: '4711', campaign: 'autumn' },
        requestFingerprint: 'f'.repeat(43),
        nowMs,
      },
      LIFETIME,
    ),
  );

/** The API key of a number. */
export const secretOf = (index: number): string =>
  withChecksum(`cck_test_${String(index).padStart(32, '0')}`);

export const seededKey = (index: number, nowMs: number): StoredApiKey => ({
  keyId: apiKeyId(secretOf(index)),
  storeId: 'demo-store-one',
  mode: 'test',
  ...AMPLE_LIMITS,
  createdAtMs: nowMs,
  tatMicros: 0,
  emissionIntervalMicros: emissionIntervalMicros(AMPLE_LIMITS),
});
