import { describe, expect, it } from 'vitest';
import { completeEarlier, type StageTests, waitUntil } from '../support/deploy/test-carts.ts';
import { BUYER } from '../support/secrets.ts';
import { submitAction } from '../support/service/sandbox-page.ts';

const PERSONAL_DATA_DAYS = 730;

/** The tests of the retention of buyers' data: a deployed stage erases it by itself. */
export const describeRetention = ({ endpoint, stage, createCart }: StageTests): void => {
  describe('the retention of a deployed stage', () => {
    const retrieve = async (cartId: string) =>
      (await stage().client.getCart(cartId, { apiKey: stage().apiKey })).body;

    it("erases the buyer's data of a cart that was completed more than 730 days ago, and no other", async () => {
      const [youngCartId, oldCartId] = [await createCart(stage()), await createCart(stage())];
      for (const cartId of [youngCartId, oldCartId]) await submitAction(stage().baseUrl, cartId, 'pay');
      const { TestCartsTable } = stage().outputs;
      await completeEarlier(endpoint(), TestCartsTable, oldCartId, PERSONAL_DATA_DAYS + 2);
      const young = await retrieve(youngCartId);
      expect(young).toMatchObject({ status: 'completed', customerInfo: BUYER });

      const erased = await waitUntil(async () => {
        const cart = await retrieve(oldCartId);
        return JSON.stringify(cart['customerInfo']) === '{}' && cart;
      });
      expect(erased).toMatchObject({ id: oldCartId, status: 'completed', meta: {} });
      expect(await retrieve(youngCartId)).toStrictEqual(young);
    });
  });
};
