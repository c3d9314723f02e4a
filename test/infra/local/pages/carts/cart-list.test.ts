import { expect, it } from 'vitest';
import { cartListPages } from '../../../../../infra/local/pages/carts/cart-list.ts';
import { NOW_MS } from '../../../../support/clock.ts';
import { waitingCart } from '../../../../support/domain/payments.ts';
import { idOf } from '../pages.ts';

it('a filter that finds no cart among many leads on to those behind them', async () => {
  const ids = Array.from({ length: 502 }, (_, index) => idOf(index));
  const last = ids.at(-1)!;
  const page = cartListPages({
    cartIds: async () => ids,
    readCarts: async (some) =>
      some.map((id) =>
        waitingCart({
          id,
          expiresAtMs: NOW_MS + 1,
          status: id === last ? 'payment_failed' : 'waiting_payment',
        }),
      ),
    now: () => NOW_MS,
  })('/carts');
  const read = (query: Record<string, string>) => {
    if (typeof page !== 'function') throw new Error('There is no such page');
    return page(new URLSearchParams(query), {});
  };
  const first = await read({ status: 'payment_failed' });
  expect(first.body).not.toContain(last);
  const after = /after=([^"&]+)" rel="next"/.exec(String(first.body))?.[1];
  expect(after).toBe(ids[499]);
  const second = await read({ status: 'payment_failed', after: after! });
  expect(second.body).toContain(`/carts/${last}`);
  expect(second.body).not.toContain('rel="next"');
});
