import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../lib/core/durations.ts';
import { BUYER } from '../support/secrets.ts';
import { perform, type StageTests, storeCopy, waitUntil } from './support/test-carts.ts';

const PERSONAL_DATA_DAYS = 730;

/** The tests of the retention of buyers' data: a deployed stage erases it by itself. */
export const describeRetention = ({ endpoint, stage, createCart }: StageTests): void => {
  describe('the retention of a deployed stage', () => {
    const retrieve = async (cartId: string) =>
      (await stage().client.getCart(cartId, { apiKey: stage().apiKey })).body;

    it("erases the buyer's data of a cart that was completed more than 730 days ago, and no other", async () => {
      const youngCartId = await createCart(stage());
      await perform(stage(), 'pay', youngCartId);
      const completedAtMs = Date.now() - (PERSONAL_DATA_DAYS + 2) * DAY_MS;
      const times = { updatedAtMs: completedAtMs, completedAtMs, timerAtMs: completedAtMs };
      const oldCartId = await storeCopy({ endpoint, stage }, youngCartId, times);
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
