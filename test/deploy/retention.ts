import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../lib/core/durations.ts';
import { BUYER } from '../support/secrets.ts';
import { perform, type StageTests, storeCopy } from './support/test-carts.ts';

const PERSONAL_DATA_DAYS = 730;

/** The tests of the retention of buyers' data: a deployed stage erases it by itself. */
export const describeRetention = ({ endpoint, stage, createCart }: StageTests): void => {
  describe('the retention of a deployed stage', () => {
    const retrieve = async (cartId: string) =>
      (await stage().client.getCart(cartId, { apiKey: stage().apiKey })).body;

    /** Retrieves a cart until its buyer's data is erased; the test's timeout ends the wait. */
    const untilErased = async (cartId: string) => {
      let cart = await retrieve(cartId);
      while (JSON.stringify(cart['customerInfo']) !== '{}') {
        await wait(100);
        cart = await retrieve(cartId);
      }
      return cart;
    };

    it("erases the buyer's data of a cart that was completed more than 730 days ago, and no other", async () => {
      const youngCartId = await createCart(stage());
      await perform(stage(), 'pay', youngCartId);
      const completedAtMs = Date.now() - (PERSONAL_DATA_DAYS + 2) * DAY_MS;
      const times = { updatedAtMs: completedAtMs, completedAtMs, timerAtMs: completedAtMs };
      const oldCartId = await storeCopy({ endpoint, stage }, youngCartId, times);
      const young = await retrieve(youngCartId);
      expect(young).toMatchObject({ status: 'completed', customerInfo: BUYER });

      expect(await untilErased(oldCartId)).toMatchObject({
        id: oldCartId,
        status: 'completed',
        customerInfo: {},
        meta: {},
      });
      expect(await retrieve(youngCartId)).toStrictEqual(young);
    });
  });
};
