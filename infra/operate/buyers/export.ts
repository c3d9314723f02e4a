import type { Cart } from '../../../lib/carts/cart.ts';
import { readEventBody } from '../../../lib/carts/cart-event-body.ts';
import { jsonText } from '../../terminal.ts';
import { cartJson } from '../carts/cart-json.ts';
import type { Run } from '../command.ts';
import { byParts, isoTime, withIsoTimes } from '../output.ts';
import { deliveryJson } from '../webhooks/delivery.ts';
import type { EXPORT_BUYER } from './commands.ts';
import { readFoundCarts, readFoundDeliveries, readFoundEvents } from './found-items.ts';
import { describeGaps, gapsJson, type Gaps } from './gaps.ts';
import { withFoundBuyer } from './search.ts';

const exportedCart = (cart: Cart, nowMs: number) => ({
  ...cartJson(cart, nowMs),
  payments: (cart.payments ?? []).map(withIsoTimes),
  ...(cart.earlyRefunds && { earlyRefunds: cart.earlyRefunds.map(withIsoTimes) }),
});

export const run: Run<typeof EXPORT_BUYER> = (options, context) =>
  withFoundBuyer(options, context, async ({ buyer: { email } }, { found }) => {
    const { stage, stores } = context;
    const nowMs = context.now();
    const gaps: Gaps = new Set();
    const carts = await readFoundCarts(found, stage, gaps);
    const events = await readFoundEvents(found, stores, gaps);
    const deliveries = await readFoundDeliveries(found, stage, gaps);
    const json = {
      email,
      exportedAt: isoTime(nowMs),
      carts: carts
        .toSorted(byParts(({ cart }) => [cart.createdAtMs]))
        .map(({ cart }) => exportedCart(cart, nowMs)),
      events: events.map(({ storeId, mode, body }) => ({ storeId, mode, event: readEventBody(body) })),
      deliveries: deliveries.map((record) => ({ endpointId: record.endpointId, ...deliveryJson(record) })),
      ...gapsJson(gaps),
    };
    return { json, lines: [jsonText(json)], failure: describeGaps('export', gaps) };
  });
