import { readEventBody } from '../../../lib/carts/cart-event.ts';
import { isErased } from '../../../lib/carts/erased-cart.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import type { Mode } from '../../../lib/core/mode.ts';
import { parseLogKey } from '../../../lib/events/logged-event.ts';
import { counted } from '../../counted.ts';
import { cartJson } from '../carts/carts.ts';
import type { Action } from '../command.ts';
import { byParts, ifAny, withIsoTimes } from '../output.ts';
import { deliveryJson } from '../webhooks/deliveries.ts';
import type { BUYERS } from './commands.ts';
import {
  type Counts,
  describeGaps,
  eraseFound,
  type Found,
  type Gaps,
  readCarts,
  readDeliveries,
  readEvents,
} from './found-items.ts';
import { withFoundBuyer } from './search.ts';

const exportBuyer: Action<typeof BUYERS.export> = (options, context) =>
  withFoundBuyer(options, context, async ({ email }, { found }) => {
    const nowMs = context.now();
    const { stage } = context;
    const gaps: Gaps = new Set();
    const carts = await readCarts(found.carts, stage, gaps);
    const events = await readEvents(found.events, stage, gaps);
    const deliveries = await readDeliveries(found.deliveries, stage, gaps);
    const json = {
      email,
      exportedAtMs: nowMs,
      carts: carts
        .map(({ cart }) => cart)
        .toSorted(byParts(({ createdAtMs }) => [createdAtMs]))
        .map((cart) => ({
          ...cartJson(cart, nowMs),
          payments: (cart.payments ?? []).map(withIsoTimes),
          ...(cart.earlyRefunds && { earlyRefunds: cart.earlyRefunds.map(withIsoTimes) }),
        })),
      events: events.map(({ storeId, mode, body }) => ({ storeId, mode, event: readEventBody(body) })),
      deliveries: deliveries.map(deliveryJson),
      unreadable: ifAny([...gaps]),
    };
    return { json, failure: describeGaps(gaps, 'export') };
  });

export { exportBuyer as export };

const countUnerased = (carts: readonly FoundCart[], mode: Mode): number =>
  carts.filter(({ cart }) => cart.mode === mode && !isErased(cart)).length;

const describe = ({ carts: { live, test }, events, deliveries }: Counts): string =>
  `${counted(live, 'live cart')} and ${counted(test, 'test cart')}, ${counted(events, 'event')} and ${counted(deliveries, 'delivery', 'deliveries')}`;

/** Whether a search has found something of live mode. */
const isLive = ({ carts, events }: Found): boolean =>
  carts.some(({ table }) => table === 'carts') || events.some(({ log }) => parseLogKey(log).mode === 'live');

export const erase: Action<typeof BUYERS.erase> = ({ dryRun, ...options }, context) =>
  withFoundBuyer(options, context, async (_buyer, state) => {
    const { stage, confirm, change } = context;
    const { found } = state;
    const gaps: Gaps = new Set();
    const resultOf = (json: object, line: string) => ({
      json: { ...json, unreadable: ifAny([...gaps]) },
      lines: [line],
      failure: describeGaps(gaps, dryRun ? 'count' : 'erasure'),
    });
    const carts = await readCarts(found.carts, stage, gaps);
    const events = await readEvents(found.events, stage, gaps);
    const counts: Counts = {
      carts: { live: countUnerased(carts, 'live'), test: countUnerased(carts, 'test') },
      events: events.length,
      deliveries: found.deliveries.filter(({ hasText }) => hasText).length,
    };
    if (dryRun) {
      return resultOf({ dryRun, ...counts }, `Would erase the buyer's data of ${describe(counts)}.`);
    }
    if (carts.length + counts.events + counts.deliveries === 0) {
      const line = gaps.size > 0 ? 'Erased nothing.' : 'Found nothing to erase.';
      return resultOf({ ...counts, cartIds: [] }, line);
    }
    const what = `the buyer's data of ${describe(counts)} on the stage ${stage.name}`;
    await confirm(`Permanently erasing ${what}`, isLive(found) ? 'live' : 'test');
    const cartIds = carts.map(({ cart }) => cart.id);
    const erased = await change(
      { cartIds },
      () => eraseFound({ carts, events }, state, gaps, context),
      ({ carts: { live, test }, ...others }) => ({ liveCarts: live, testCarts: test, ...others }),
    );
    return resultOf({ ...erased, cartIds }, `Erased the buyer's data of ${describe(erased)}.`);
  });
