import type { Command } from 'commander';
import type { Mode } from '../../../lib/api-keys/api-key.ts';
import { createCartEraser } from '../../../lib/buyers/cart-eraser.ts';
import { type DeliveryKey, eraseResponses } from '../../../lib/buyers/delivery-eraser.ts';
import { isErased } from '../../../lib/buyers/erased-cart.ts';
import { createErasureLedger } from '../../../lib/buyers/erasure-ledger.ts';
import { eraseEvents } from '../../../lib/buyers/event-eraser.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { type LogId, type LoggedEvent, logKey, parseLogKey } from '../../../lib/events/store-event.ts';
import { deliveryId } from '../../../lib/webhooks/delivery.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { counted } from '../../counted.ts';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import { type Host, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import type { Stage } from '../stage.ts';
import { eventsBetween } from '../webhooks/log-events.ts';
import { eraseDeadLetters } from './dead-letters.ts';
import { readFoundCarts, type Search } from './search.ts';
import { searchCommand, type SearchFlags, withFoundBuyer } from './search-command.ts';
import type { Found, SearchState } from './search-state.ts';

interface EraseFlags extends SearchFlags, YesFlag {
  readonly dryRun?: true;
}

/** The items that an erasure will change, or has changed. */
interface Counts {
  readonly carts: Readonly<Record<Mode, number>>;
  readonly events: number;
  readonly deliveries: number;
  readonly deadLetters: number;
}

/** An eventually consistent scan, and the clock of a writer, may be behind by this. */
const LATE_MS = 60_000;

/** The logs of carts, each once. */
const logsOf = (carts: readonly FoundCart[]): readonly LogId[] => {
  const logs = new Map(
    carts.map(({ cart: { storeId, mode } }) => [logKey({ storeId, mode }), { storeId, mode }]),
  );
  return [...logs.values()];
};

/**
 * The found events, and those of the found carts that were recorded since the search began. Once the carts are erased, no
 * further event has the buyer's data.
 */
const readEvents = async (
  { documents, tableNames }: Stage,
  carts: readonly FoundCart[],
  { found, startedAtMs }: SearchState,
): Promise<readonly LoggedEvent[]> => {
  const store = createEventStore(documents, tableNames.events);
  const cartIds = new Set(carts.map(({ cart }) => cart.id));
  const events = new Map<string, LoggedEvent>();
  for (const { log, sequence } of found.events) {
    const event = await store.find(parseLogKey(log), sequence);
    if (event) events.set(event.id, event);
  }
  for (const log of logsOf(carts)) {
    for await (const event of eventsBetween(store, log, startedAtMs - LATE_MS, Infinity)) {
      if (cartIds.has(event.cartId)) events.set(event.id, event);
    }
  }
  return [...events.values()];
};

/** The found deliveries, and those of the events that were made since to the endpoints of their logs. */
const deliveriesOf = async (
  { documents, tableNames }: Stage,
  events: readonly LoggedEvent[],
  { deliveries }: Found,
): Promise<readonly DeliveryKey[]> => {
  const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
  const keys = new Map<string, DeliveryKey>(deliveries.map((key) => [`${key.endpointId} ${key.id}`, key]));
  const byLog = Map.groupBy(events, (event) => logKey(event));
  for (const [log, ofLog] of byLog) {
    for (const { endpointId } of await endpoints.listOf(parseLogKey(log))) {
      for (const { id: eventId, recordedAtMs } of ofLog) {
        const id = deliveryId({ eventId, recordedAtMs });
        keys.set(`${endpointId} ${id}`, { endpointId, id });
      }
    }
  }
  return [...keys.values()];
};

/** Erases the found items. Events come last: with them, a repetition without the search's file can find the rest. */
const eraseFound = async (
  host: Host,
  stage: Stage,
  search: Search,
  carts: readonly FoundCart[],
  state: SearchState,
): Promise<Counts> => {
  const { documents, tableNames } = stage;
  const ledger = createErasureLedger(documents, tableNames.erasures);
  const eraser = createCartEraser(documents, ledger, host.now);
  const eraseMode = (mode: Mode) => eraser.erase(carts.filter(({ cart }) => cart.mode === mode));
  const erased = { live: await eraseMode('live'), test: await eraseMode('test') };
  const events = await readEvents(stage, carts, state);
  const deliveries = await deliveriesOf(stage, events, state.found);
  return {
    carts: erased,
    deadLetters: await eraseDeadLetters(stage, search, false),
    deliveries: await eraseResponses(documents, tableNames.deliveries, deliveries),
    events: await eraseEvents(documents, tableNames.events, events),
  };
};

const countUnerased = (carts: readonly FoundCart[], mode: Mode): number =>
  carts.filter(({ cart }) => cart.mode === mode && !isErased(cart)).length;

const describe = ({ carts: { live, test }, events, deliveries, deadLetters }: Counts): string =>
  `${counted(live, 'live cart')} and ${counted(test, 'test cart')}, ${counted(events, 'event')}, ${counted(deliveries, 'delivery', 'deliveries')} and ${counted(deadLetters, 'dead letter')}`;

const isLive = (carts: readonly FoundCart[], { events }: Found): boolean =>
  carts.some(({ cart }) => cart.mode === 'live') ||
  events.some(({ log }) => parseLogKey(log).mode === 'live');

const eraseBuyer = (host: Host, flags: EraseFlags): Promise<void> =>
  withFoundBuyer(host, flags, async (stage, search, state) => {
    const { found } = state;
    const carts = await readFoundCarts(stage, found);
    const counts: Counts = {
      carts: { live: countUnerased(carts, 'live'), test: countUnerased(carts, 'test') },
      events: found.events.length,
      deliveries: found.deliveries.filter(({ hasText }) => hasText).length,
      deadLetters: await eraseDeadLetters(stage, search, true),
    };
    if (flags.dryRun) {
      await print(host, flags.json, { dryRun: true, ...counts }, [
        `Would erase the buyer's data of ${describe(counts)}.`,
      ]);
      return;
    }
    if (carts.length + counts.events + counts.deliveries + counts.deadLetters === 0) {
      await print(host, flags.json, { ...counts, cartIds: [] }, ['The stage has nothing about this buyer.']);
      return;
    }
    const mode = isLive(carts, found) || counts.deadLetters > 0 ? 'live' : 'test';
    const action = `Erasing the buyer's data of ${describe(counts)} on the stage ${stage.name}, for good`;
    await confirmLive(host, action, { mode, ...flags });
    const cartIds = carts.map(({ cart }) => cart.id);
    const erased = await recordChange(
      host,
      stage,
      { command: 'buyers erase', ids: { cartIds } },
      () => eraseFound(host, stage, search, carts, state),
      ({ carts: { live, test }, ...others }) => ({ liveCarts: live, testCarts: test, ...others }),
    );
    await print(host, flags.json, { ...erased, cartIds }, [
      `Erased the buyer's data of ${describe(erased)}.`,
    ]);
  });

const HELP = `
Examples:
  npm run operate -- buyers erase --email ada@example.com --store shop --dry-run
  echo ada@example.com | npm run operate -- buyers erase --email - --stage prod --yes

It finds the carts with this e-mail address in customerInfo, in any case. It permanently erases their customerInfo, meta and
return address, also in their events and in dead letters. It also erases the texts of the responses to their deliveries. Ids,
products, amounts, payments, statuses and times stay. It sends no event. Buyers can still pay an erased cart that waits.
It does not search meta. A merchant's own copies of the address in carts of another address therefore stay.
It reads whole tables at a limited rate, and states the cost first. With --dry-run, it only counts. It shows the counts and
asks before it changes live mode. After an interruption, the same command continues within a day. A repetition is harmless.`;

/** `buyers erase`: erases the personal data of a buyer. */
export const eraseBuyerCommand = (host: Host): Command =>
  withYes(searchCommand('erase', 'erase the personal data of a buyer, for good', HELP))
    .option('--dry-run', 'count what it would erase, and change nothing')
    .action((flags: EraseFlags) => eraseBuyer(host, flags));
