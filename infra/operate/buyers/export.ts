import type { Command } from 'commander';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { parseLogKey, type StoreEvent } from '../../../lib/events/store-event.ts';
import { parseDeliveryId } from '../../../lib/webhooks/delivery.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { printableJson } from '../../command-line.ts';
import type { Host } from '../options.ts';
import { isoTime, print } from '../output.ts';
import type { Stage } from '../stage.ts';
import { cartJson } from '../carts/cart-json.ts';
import { deliveryJson } from '../webhooks/delivery-json.ts';
import { readFoundCarts } from './search.ts';
import { searchCommand, type SearchFlags, withFoundBuyer } from './search-command.ts';
import type { Found } from './search-state.ts';

const exportedCart = (cart: Cart, nowMs: number) => ({
  ...cartJson(cart, nowMs),
  payments: (cart.payments ?? []).map(({ occurredAtMs, ...payment }) => ({
    ...payment,
    occurredAt: isoTime(occurredAtMs),
  })),
});

/** Reads found events and deliveries. TTL may have deleted some since. */
const readEvents = async ({ documents, tableNames }: Stage, { events, deliveries }: Found) => {
  const log = createEventStore(documents, tableNames.events);
  const records = createDeliveryStore(documents, tableNames.deliveries);
  const eventLines: object[] = [];
  for (const { log: key, sequence } of events) {
    const event = await log.find(parseLogKey(key), sequence);
    if (!event) continue;
    const { storeId, mode, body } = event;
    eventLines.push({ storeId, mode, event: JSON.parse(body) as StoreEvent });
  }
  const deliveryLines: object[] = [];
  for (const { endpointId, id } of deliveries) {
    const record = await records.find({ endpoint: { endpointId }, ...parseDeliveryId(id) });
    if (record) deliveryLines.push({ endpointId, ...deliveryJson(record) });
  }
  return { events: eventLines, deliveries: deliveryLines };
};

const exportBuyer = (host: Host, flags: SearchFlags): Promise<void> =>
  withFoundBuyer(host, flags, async (stage, { buyer: { email } }, { found }) => {
    const nowMs = host.now();
    const carts = await readFoundCarts(stage, found);
    const result = {
      email,
      exportedAt: isoTime(nowMs),
      carts: carts
        .toSorted((a, b) => a.cart.createdAtMs - b.cart.createdAtMs)
        .map(({ cart }) => exportedCart(cart, nowMs)),
      ...(await readEvents(stage, found)),
    };
    await print(host, flags.json, result, [printableJson(result)]);
  });

const HELP = `
Examples:
  npm run --silent operate -- buyers export --email ada@example.com --store shop > buyer.json
  echo ada@example.com | npm run --silent operate -- buyers export --email - --stage prod > buyer.json

It prints one line of JSON: the carts with this e-mail address in customerInfo, in any case, with their payments, events and
deliveries. It does not search meta, so it misses a merchant's own copies of the address there.
It reads whole tables at a limited rate, and states the cost first. After an interruption, the same command continues within
a day.`;

/** `buyers export`: prints the carts, events and deliveries of a buyer. */
export const exportBuyerCommand = (host: Host): Command =>
  searchCommand('export', 'print the carts, events and deliveries of a buyer', HELP).action(
    (flags: SearchFlags) => exportBuyer(host, flags),
  );
