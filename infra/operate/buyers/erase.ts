import { isErased } from '../../../lib/carts/erased-cart.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import type { Mode } from '../../../lib/core/mode.ts';
import { parseLogKey } from '../../../lib/events/store-event.ts';
import { counted } from '../../counted.ts';
import type { Action } from '../command.ts';
import type { BUYERS } from './commands.ts';
import { type Counts, eraseFound } from './erase-found.ts';
import { readFoundCarts, readFoundEvents } from './found-items.ts';
import { describeGaps, gapsJson, type Gaps } from './gaps.ts';
import { withFoundBuyer } from './search.ts';
import type { Found } from './search-state.ts';

const countUnerased = (carts: readonly FoundCart[], mode: Mode): number =>
  carts.filter(({ cart }) => cart.mode === mode && !isErased(cart)).length;

const describe = ({ carts: { live, test }, events, deliveries }: Counts): string =>
  `${counted(live, 'live cart')} and ${counted(test, 'test cart')}, ${counted(events, 'event')} and ${counted(deliveries, 'delivery', 'deliveries')}`;

/** Whether a search has found live mode. A cart of the table `carts` that was not read counts: its mode is unknown. */
const isLive = (carts: readonly FoundCart[], { carts: keys, events }: Found): boolean => {
  const read = new Set(carts.map(({ cart }) => cart.id));
  return (
    carts.some(({ cart }) => cart.mode === 'live') ||
    keys.some(({ table, id }) => table === 'carts' && !read.has(id)) ||
    events.some(({ log }) => parseLogKey(log).mode === 'live')
  );
};

export const run: Action<typeof BUYERS.erase> = ({ dryRun, ...options }, context) =>
  withFoundBuyer(options, context, async (_search, state) => {
    const { stage, stores, confirm, change } = context;
    const { found } = state;
    const gaps: Gaps = new Set();
    const resultOf = (json: object, line: string) => ({
      json: { ...json, ...gapsJson(gaps) },
      lines: [line],
      failure: describeGaps(dryRun ? 'count' : 'erasure', gaps),
    });
    const carts = await readFoundCarts(found, stage, gaps);
    const events = await readFoundEvents(found, stores, gaps);
    const counts: Counts = {
      carts: { live: countUnerased(carts, 'live'), test: countUnerased(carts, 'test') },
      events: events.length,
      deliveries: found.deliveries.filter(({ hasText }) => hasText).length,
    };
    if (dryRun) {
      return resultOf({ dryRun, ...counts }, `Would erase the buyer's data of ${describe(counts)}.`);
    }
    if (carts.length + counts.events + counts.deliveries === 0) {
      const hasGaps = describeGaps('erasure', gaps) !== undefined;
      return resultOf({ ...counts, cartIds: [] }, hasGaps ? 'Erased nothing.' : 'Found nothing to erase.');
    }
    const mode = isLive(carts, found) ? 'live' : 'test';
    const what = `the buyer's data of ${describe(counts)} on the stage ${stage.name}`;
    await confirm(`Permanently erasing ${what}`, mode);
    const cartIds = carts.map(({ cart }) => cart.id);
    const erased = await change(
      { cartIds },
      () => eraseFound({ carts, events }, state, gaps, context),
      ({ carts: { live, test }, ...others }) => ({ liveCarts: live, testCarts: test, ...others }),
    );
    return resultOf({ ...erased, cartIds }, `Erased the buyer's data of ${describe(erased)}.`);
  });
