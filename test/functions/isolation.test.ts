import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordPaymentEvent } from '../../lib/payments/record-payment-event.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { givenDatabase, type TestDatabase } from '../support/database/database.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import { paymentRecordRepositoryOf } from '../support/domain/event-logs.ts';
import { payment } from '../support/domain/payments.ts';
import {
  ISOLATED_OPERATIONS,
  type IsolatedOperation,
  OPERATION_ROWS,
} from '../support/operations/all-rows.ts';
import type { Merchant } from '../support/operations/row-types.ts';
import { cartIdOf } from '../support/service/http-client.ts';
import { composeService, type TestService } from '../support/service/service.ts';

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
  const paymentRecords = paymentRecordRepositoryOf(database, mode === 'live' ? 'carts' : 'testCarts');
  const event = { cartId, mode, payment: payment({ amount }) };
  await recordPaymentEvent(event, { carts: service.carts[mode], paymentRecords });
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
const seenItems = async (
  name: IsolatedOperation,
  owner: Merchant,
  caller: Merchant,
): Promise<readonly string[]> => {
  const seen: string[] = [];
  for (const request of OPERATION_ROWS[name].isolation(owner, caller)) {
    const response = await service.send(name, { ...request, apiKey: caller.apiKey });
    const text = JSON.stringify(response.headers) + response.bodyText;
    seen.push(...itemsOf(owner, caller).filter((item) => text.includes(item)));
  }
  return seen;
};

// `webhook-endpoints/authorisation.test.ts` has the operations on webhook endpoints.
describe.each(ISOLATED_OPERATIONS)('%s', (name) => {
  it('shows each store in each mode its own items', async () => {
    for (const merchant of merchants) {
      const seen = await seenItems(name, merchant, merchant);
      expect(seen.length, 'two of the items of `itemsOf` in its response').toBeGreaterThan(1);
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
