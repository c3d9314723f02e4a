import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordPayment } from '../../lib/payments/record-payment.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { formatCursor } from '../../lib/events/cursor.ts';
import { NOW_MS } from '../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../support/database.ts';
import { paymentRepositoryOf } from '../support/events.ts';
import { cartIdOf } from '../support/http-client.ts';
import type { OperationRequest } from '../support/invoke.ts';
import { payment } from '../support/payments.ts';
import {
  cartBody,
  composeService,
  type MerchantOperationName,
  type TestService,
} from '../support/service.ts';

/** A store in one mode, with a key and stored items. */
interface Merchant {
  readonly storeId: string;
  readonly mode: Mode;
  readonly apiKey: string;
  readonly productId: string;
  /** A text in the price of the store's product, in either mode. */
  readonly price: string;
  /** A cart with an event. */
  readonly cartId: string;
  /** A text in the `meta` of this cart and of its event. */
  readonly note: string;
  readonly idempotencyKey: string;
  /** The cart of this key. */
  readonly idempotentCartId: string;
}

/** `webhook-endpoints/authorisation.test.ts` has the operations on webhook endpoints. */
type Isolated = Exclude<MerchantOperationName, `${string}Webhook${string}`>;

/** For each operation, requests of a caller that name the items of an owner in every place that names one. */
const REQUESTS: Readonly<
  Record<Isolated, (owner: Merchant, caller: Merchant) => readonly OperationRequest[]>
> = {
  createCartCheckout: ({ productId, idempotencyKey }, caller) =>
    [productId, caller.productId].map((product) => ({
      body: cartBody(product),
      headers: { 'Idempotency-Key': idempotencyKey },
    })),
  getCart: ({ cartId, idempotentCartId }) =>
    [cartId, idempotentCartId].map((id) => ({ pathParameters: { cartId: id } })),
  expireCart: ({ cartId, idempotentCartId }) =>
    [cartId, idempotentCartId].map((id) => ({ pathParameters: { cartId: id } })),
  listEvents: (owner) => [
    {},
    { query: { after: formatCursor(owner, { sequence: 0, seenUntilMs: NOW_MS - 1 }) } },
  ],
};

const ISOLATED = Object.keys(REQUESTS) as readonly Isolated[];

let database: TestDatabase;
let service: TestService;
let merchants: readonly Merchant[];

const givenMerchant = async (
  storeId: string,
  mode: Mode,
  [productId, amount]: readonly [string, number],
): Promise<Merchant> => {
  const apiKey = await service.givenKey({ storeId, mode, limit: 1_000 });
  const note = randomUUID();
  const cartId = cartIdOf(await service.createCart(cartBody(productId, { meta: { note } }), { apiKey }));
  const payments = paymentRepositoryOf(database, mode === 'live' ? 'carts' : 'testCarts');
  const event = { cartId, mode, payment: payment({ amount }) };
  await recordPayment(event, { carts: service.carts[mode], payments });
  const idempotencyKey = randomUUID();
  const headers = { 'Idempotency-Key': idempotencyKey };
  const idempotentCartId = cartIdOf(await service.createCart(cartBody(productId), { apiKey, headers }));
  const price = `"amount":${amount}`;
  return { storeId, mode, apiKey, productId, price, cartId, note, idempotencyKey, idempotentCartId };
};

beforeAll(async () => {
  database = await givenDatabase();
  service = composeService(database);
  const given: Merchant[] = [];
  for (const [storeId, amount] of [
    ['shop', 4_711.5],
    ['other-shop', 815.25],
  ] as const) {
    const pricing = { type: 'fixed', amount } as const;
    const productId = await service.givenProduct({ storeId, pricing });
    for (const mode of ['live', 'test'] as const) {
      given.push(await givenMerchant(storeId, mode, [productId, amount]));
    }
  }
  merchants = given;
});

/** The texts that show an item of an owner to a caller. Both modes of a store share its products. */
const itemsOf = (owner: Merchant, caller: Merchant): readonly string[] => [
  owner.cartId,
  owner.idempotentCartId,
  owner.note,
  ...(owner.storeId === caller.storeId && owner !== caller ? [] : [owner.price]),
];

/** The items of an owner in the responses to a caller who names them. */
const seenItems = async (name: Isolated, owner: Merchant, caller: Merchant): Promise<readonly string[]> => {
  const seen: string[] = [];
  for (const request of REQUESTS[name](owner, caller)) {
    const response = await service.send(name, { ...request, apiKey: caller.apiKey });
    const text = JSON.stringify(response.headers) + response.bodyText;
    seen.push(...itemsOf(owner, caller).filter((item) => text.includes(item)));
  }
  return seen;
};

describe.each(ISOLATED)('%s', (name) => {
  it('shows each store in each mode its own items', async () => {
    for (const merchant of merchants) {
      expect((await seenItems(name, merchant, merchant)).length).toBeGreaterThan(1);
    }
  });

  it('shows no item of another store, and none of the other mode', async () => {
    for (const owner of merchants) {
      for (const caller of merchants.filter((merchant) => merchant !== owner)) {
        expect(
          await seenItems(name, owner, caller),
          `${caller.storeId} in ${caller.mode} mode`,
        ).toStrictEqual([]);
      }
    }
  });
});
