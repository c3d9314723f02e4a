import type { Command } from 'commander';
import type { Cart } from '../../../lib/carts/cart.ts';
import { readEventBody } from '../../../lib/events/event-body.ts';
import type { LoggedEvent } from '../../../lib/events/store-event.ts';
import { printableJson } from '../../command-line.ts';
import { cartJson } from '../carts/cart-json.ts';
import type { Host } from '../options.ts';
import { isoTime, print } from '../output.ts';
import { deliveryJson } from '../webhooks/delivery-json.ts';
import { readFoundCarts, readFoundDeliveries, readFoundEvents } from './found-items.ts';
import { searchCommand, type SearchFlags, withFoundBuyer } from './search-command.ts';

const exportedCart = (cart: Cart, nowMs: number) => ({
  ...cartJson(cart, nowMs),
  payments: (cart.payments ?? []).map(({ occurredAtMs, ...payment }) => ({
    ...payment,
    occurredAt: isoTime(occurredAtMs),
  })),
});

const exportedEvent = ({ storeId, mode, body }: LoggedEvent) => ({
  storeId,
  mode,
  event: readEventBody(body),
});

const exportBuyer = (host: Host, flags: SearchFlags): Promise<void> =>
  withFoundBuyer(host, flags, async (stage, { buyer: { email } }, { found }) => {
    const nowMs = host.now();
    const carts = await readFoundCarts(stage, found);
    const events = await readFoundEvents(stage, found);
    const deliveries = await readFoundDeliveries(stage, found);
    const unreadable = [carts, events, deliveries].flatMap((read) => read.unreadable);
    const result = {
      email,
      exportedAt: isoTime(nowMs),
      carts: carts.items
        .toSorted((a, b) => a.cart.createdAtMs - b.cart.createdAtMs)
        .map(({ cart }) => exportedCart(cart, nowMs)),
      events: events.items.map(exportedEvent),
      deliveries: deliveries.items.map((record) => ({
        endpointId: record.endpointId,
        ...deliveryJson(record),
      })),
      ...(unreadable.length > 0 && { unreadable }),
    };
    await print(host, flags.json, result, [printableJson(result)]);
    if (unreadable.length === 0) return undefined;
    return `The export is incomplete. This release cannot read ${unreadable.join(', ')}.`;
  });

const HELP = `
Examples:
  npm run --silent operate -- buyers export --email ada@example.com --store shop > buyer.json
  echo ada@example.com | npm run --silent operate -- buyers export --email - --stage prod > buyer.json

It prints one line of JSON: the carts with this e-mail address in customerInfo, in any case, with their payments, events and
deliveries. It does not search meta, so it misses a merchant's own copies of the address there. If it cannot read an item, it
prints all others, names it, and exits with 1.
It reads whole tables at a limited rate, and states the cost first. After an interruption, the same command continues within
a day.`;

/** `buyers export`: prints the carts, events and deliveries of a buyer. */
export const exportBuyerCommand = (host: Host): Command =>
  searchCommand('export', 'print the carts, events and deliveries of a buyer', HELP).action(
    (flags: SearchFlags) => exportBuyer(host, flags),
  );
