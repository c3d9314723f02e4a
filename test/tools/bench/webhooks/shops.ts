import { randomUUID } from 'node:crypto';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import { generateEndpointId } from '../../../../lib/endpoints/endpoint.ts';
import { createOperatorStoreRepository } from '../../../../lib/operators/operator-store-repository.ts';
import { storeEndpoint } from '../../../support/domain/endpoints.ts';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  verifyWebhook,
  type WebhookReceiver,
} from '../../../support/http/webhook-receiver.ts';
import { benchCart } from '../support/items.ts';

/** A store with one webhook endpoint, in test mode. */
export interface Shop {
  readonly storeId: string;
  readonly endpointId: string;
  readonly secret: string;
}

/** Stores new shops whose endpoints all have this address, with the shop's number as its query. */
export const createShops = async (
  documents: DocumentClient,
  url: string,
  count: number,
): Promise<readonly Shop[]> => {
  const stores = createOperatorStoreRepository(documents, LOCAL_TABLE_NAMES.stores);
  const shops: Shop[] = [];
  for (let index = 0; index < count; index += 1) {
    const storeId = `shop-${randomUUID()}`;
    const endpointId = generateEndpointId();
    const createdAtMs = Date.now();
    await stores.put({ id: storeId, name: storeId, createdAtMs });
    const endpointUrl = `${url}?shop=${index}`;
    const endpoint = { storeId, mode: 'test', endpointId, url: endpointUrl, createdAtMs } as const;
    const secret = await storeEndpoint({ documents, tableNames: LOCAL_TABLE_NAMES }, endpoint);
    shops.push({ storeId, endpointId, secret });
  }
  return shops;
};

/** Stores a test cart of a shop that waits for its payment. Returns its id. */
export const createCart = async (
  documents: DocumentClient,
  { storeId }: Pick<Shop, 'storeId'>,
): Promise<string> => {
  const cart = { ...benchCart(randomUUID(), Date.now()), storeId };
  await createCartRepository(documents, LOCAL_TABLE_NAMES.testCarts, Date.now).create(cart);
  return cart.id;
};

/** A receiver that verifies each webhook, and records when it has verified that of a cart. */
interface VerifyingReceiver extends WebhookReceiver {
  /** The time at which the first webhook of each cart was verified, by cart id. */
  readonly verifiedAtMs: ReadonlyMap<string, number>;
  /** Resolves when the webhook of a cart is verified. */
  verified(cartId: string): Promise<void>;
}

/**
 * Starts a receiver that verifies the webhooks of all shops.
 *
 * @param secretOf returns the secret of a shop, by its number
 */
export const startVerifyingReceiver = async (
  secretOf: (shop: number) => string,
): Promise<VerifyingReceiver> => {
  const verifiedAtMs = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  const verify = (webhook: ReceivedWebhook): void => {
    const shop = Number(new URLSearchParams(webhook.path.split('?')[1]).get('shop'));
    const { id } = verifyWebhook(secretOf(shop), webhook).data;
    if (!verifiedAtMs.has(id)) verifiedAtMs.set(id, performance.now());
    waiting.get(id)?.();
  };
  const receiver = await startWebhookReceiver(verify);
  return {
    ...receiver,
    verifiedAtMs,
    verified: (cartId) =>
      new Promise((settle) => {
        if (verifiedAtMs.has(cartId)) settle();
        else waiting.set(cartId, settle);
      }),
  };
};
