import { join } from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { requireCartEvent } from '../../../lib/carts/cart-event.ts';
import { parseLogKey } from '../../../lib/events/logged-event.ts';
import { LOCAL_FOLDER } from '../../core/project.ts';
import { counted } from '../../terminal/counted.ts';
import type { Action, OptionsOf, Result } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { by, ifAny, withIsoTimes } from '../frame/output.ts';
import { readEmail } from '../shared/buyer-email.ts';
import { cartJson } from '../shared/cart-json.ts';
import { deliveryJson } from '../shared/delivery-output.ts';
import type { BUYERS } from './commands.ts';
import { eraseFound } from './erase-found.ts';
import { countFound, type FoundItems, type SearchState, type ItemCounts, readFound } from './found-items.ts';
import { openSearchFile, searchBuyer } from './search.ts';

/**
 * Searches for the buyer of a command, then calls `use`. Until its result is printed, a file keeps the search: a repetition of
 * the command continues there. The result names the items that this release cannot read.
 *
 * @param what the result, such as `export`
 */
const withFoundBuyer = async (
  { email: option, store, stateFile }: OptionsOf<typeof BUYERS.export>,
  context: Context,
  what: string,
  use: (items: FoundItems, email: string) => Promise<Result>,
): Promise<Result> => {
  const { stage } = context;
  const email = await readEmail(option, context);
  // Another account or region may have a stage of the same name, and the address of a local stage may have other data later.
  const { Table } = await stage.documents.send(
    new DescribeTableCommand({ TableName: stage.tableNames.carts }),
  );
  const subject = [Table?.TableArn, Table?.TableId, Table?.CreationDateTime, store, email];
  const file = openSearchFile(stateFile ?? join(LOCAL_FOLDER, 'buyers', `${stage.name}.json`), subject);
  const items = await readFound(await searchBuyer({ email, store }, file, context), stage);
  const result = await use(items, email);
  const unreadable = ifAny([...items.unreadable]);
  const failure =
    unreadable && `The ${what} is incomplete. This release cannot read ${unreadable.join(', ')}.`;
  return { ...result, json: { ...result.json, unreadable }, failure, onPrinted: file.remove };
};

const exportBuyer: Action<typeof BUYERS.export> = (options, context) =>
  withFoundBuyer(options, context, 'export', async ({ carts, events, deliveries }, email) => {
    const nowMs = context.now();
    const json = {
      email,
      exportedAtMs: nowMs,
      carts: carts
        .map(({ cart }) => cart)
        .toSorted(by(({ createdAtMs }) => createdAtMs))
        .map((cart) => ({
          ...cartJson(cart, nowMs),
          payments: (cart.payments ?? []).map(withIsoTimes),
          ...(cart.earlyRefunds && { earlyRefunds: cart.earlyRefunds.map(withIsoTimes) }),
        })),
      events: events.map(({ storeId, mode, body }) => ({ storeId, mode, event: requireCartEvent(body) })),
      deliveries: deliveries.map(deliveryJson),
    };
    return { json };
  });

export { exportBuyer as export };

const describe = ({ carts: { live, test }, events, deliveries }: ItemCounts): string =>
  `${counted(live, 'live cart')} and ${counted(test, 'test cart')}, ${counted(events, 'event')} and ${counted(deliveries, 'delivery', 'deliveries')}`;

/** Whether a search has found something of live mode. */
const isLive = ({ carts, events }: SearchState): boolean =>
  carts.some(({ table }) => table === 'carts') || events.some(({ log }) => parseLogKey(log).mode === 'live');

export const erase: Action<typeof BUYERS.erase> = ({ dryRun, ...options }, context) =>
  withFoundBuyer(options, context, dryRun ? 'count' : 'erasure', async (items) => {
    const { stage, confirm, change } = context;
    const counts = await countFound(items, stage);
    if (dryRun) {
      return { json: { dryRun, ...counts }, lines: [`Would erase the buyer's data of ${describe(counts)}.`] };
    }
    const cartIds = items.carts.map(({ cart }) => cart.id);
    // Attempts may still add texts to a delivery without one.
    if (cartIds.length + counts.events + items.found.deliveries.length === 0) {
      const line = items.unreadable.size > 0 ? 'Erased nothing.' : 'Found nothing to erase.';
      return { json: { ...counts, cartIds }, lines: [line] };
    }
    const what = `the buyer's data of ${describe(counts)} on the stage ${stage.name}`;
    await confirm(`Permanently erasing ${what}`, isLive(items.found) ? 'live' : 'test');
    const erased = await change(
      { cartIds },
      () => eraseFound(items, context),
      ({ carts: { live, test }, ...others }) => ({ liveCarts: live, testCarts: test, ...others }),
    );
    return { json: { ...erased, cartIds }, lines: [`Erased the buyer's data of ${describe(erased)}.`] };
  });
