import type { Command } from 'commander';
import type { Mode } from '../../../lib/core/mode.ts';
import { createCartEraser } from '../../../lib/buyers/cart-eraser.ts';
import { type DeliveryKey, eraseResponses } from '../../../lib/buyers/delivery-eraser.ts';
import { isErased } from '../../../lib/buyers/erased-cart.ts';
import { createErasureLedger } from '../../../lib/buyers/erasure-ledger.ts';
import { eraseEvents } from '../../../lib/buyers/event-eraser.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import { parseEventBody } from '../../../lib/events/event-body.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { type LogId, type LoggedEvent, logKey, parseLogKey } from '../../../lib/events/store-event.ts';
import { deliveryId } from '../../../lib/webhooks/delivery.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { counted } from '../../counted.ts';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import { HELD_LETTERS, MORE_LETTERS } from '../dead-letters/dead-letter-queue.ts';
import { type Host, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import type { Stage } from '../stage.ts';
import { eventsSince } from '../webhooks/log-events.ts';
import { eraseDeadLetters, type FoundLetters } from './dead-letters.ts';
import { readFoundCarts, readFoundEvents, readOrName } from './found-items.ts';
import type { Search } from './search.ts';
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

/** The carts and events of a search, as they are now. */
interface Readable {
  readonly carts: readonly FoundCart[];
  readonly events: readonly LoggedEvent[];
}

/** An eventually consistent scan, and the clock of a writer, may be behind by this. */
const LATE_MS = 60_000;

const nameOf = ({ storeId, mode }: LogId): string => `the store ${storeId} in ${mode} mode`;

/** The logs of carts, each once. */
const logsOf = (carts: readonly FoundCart[]): readonly LogId[] => {
  const logs = new Map(
    carts.map(({ cart: { storeId, mode } }) => [logKey({ storeId, mode }), { storeId, mode }]),
  );
  return [...logs.values()];
};

/**
 * The found events, and those of the found carts that were recorded since the search began. Once the carts are erased, no
 * further event has the buyer's data. Events with an invalid body are named instead.
 */
const withLateEvents = async (
  { documents, tableNames }: Stage,
  { carts, events: found }: Readable,
  startedAtMs: number,
  unreadable: string[],
): Promise<readonly LoggedEvent[]> => {
  const store = createEventStore(documents, tableNames.events);
  const cartIds = new Set(carts.map(({ cart }) => cart.id));
  const events = new Map(found.map((event) => [event.id, event]));
  for (const log of logsOf(carts)) {
    await readOrName(`new events of ${nameOf(log)}`, unreadable, async () => {
      for await (const event of eventsSince(store, log, startedAtMs - LATE_MS)) {
        if (!cartIds.has(event.cartId)) continue;
        if (parseEventBody(event.body)) events.set(event.id, event);
        else unreadable.push(`event ${event.id}`);
      }
    });
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
  for (const [key, ofLog] of byLog) {
    for (const endpointId of await endpoints.idsOf(parseLogKey(key))) {
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
  readable: Readable,
  { found, startedAtMs }: SearchState,
) => {
  const { documents, tableNames } = stage;
  const { carts } = readable;
  const unreadable: string[] = [];
  const ledger = createErasureLedger(documents, tableNames.erasures);
  const eraser = createCartEraser(documents, ledger, host.now);
  const eraseMode = (mode: Mode) => eraser.erase(carts.filter(({ cart }) => cart.mode === mode));
  const erased = { live: await eraseMode('live'), test: await eraseMode('test') };
  const events = await withLateEvents(stage, readable, startedAtMs, unreadable);
  const deliveries = await deliveriesOf(stage, events, found);
  const letters = await eraseDeadLetters(stage, search, false);
  const counts: Counts = {
    carts: erased,
    deadLetters: letters.found,
    deliveries: await eraseResponses(documents, tableNames.deliveries, deliveries, host.now()),
    events: await eraseEvents(documents, tableNames.events, events),
  };
  return { counts, letters, unreadable };
};

const countUnerased = (carts: readonly FoundCart[], mode: Mode): number =>
  carts.filter(({ cart }) => cart.mode === mode && !isErased(cart)).length;

const describe = ({ carts: { live, test }, events, deliveries, deadLetters }: Counts): string =>
  `${counted(live, 'live cart')} and ${counted(test, 'test cart')}, ${counted(events, 'event')}, ${counted(deliveries, 'delivery', 'deliveries')} and ${counted(deadLetters, 'dead letter')}`;

/**
 * Prints the result of a command.
 *
 * @returns why it is incomplete: there may be more of the buyer's data
 */
const printResult = async (
  host: Host,
  { json, dryRun }: EraseFlags,
  { result, line }: { readonly result: object; readonly line: string },
  unreadableItems: readonly string[],
  letters: FoundLetters,
): Promise<string | undefined> => {
  const unreadable = [...new Set([...unreadableItems, ...letters.unreadable])];
  const gaps = {
    ...(unreadable.length > 0 && { unreadable }),
    ...((letters.hasMore || letters.hasHeld) && { hasMoreDeadLetters: true }),
  };
  await print(host, json, { ...result, ...gaps }, [line]);
  const reasons = [
    ...(unreadable.length > 0 ? [`This release cannot read ${unreadable.join(', ')}.`] : []),
    ...(letters.hasMore ? [MORE_LETTERS] : []),
    ...(letters.hasHeld ? [HELD_LETTERS] : []),
  ];
  if (reasons.length === 0) return undefined;
  return `The ${dryRun ? 'count' : 'erasure'} is incomplete. ${reasons.join(' ')}`;
};

/** Whether a search has found live mode. A cart of the table `carts` that was not read counts: its mode is unknown. */
const isLive = (carts: readonly FoundCart[], { carts: keys, events }: Found): boolean => {
  const read = new Set(carts.map(({ cart }) => cart.id));
  return (
    carts.some(({ cart }) => cart.mode === 'live') ||
    keys.some(({ table, id }) => table === 'carts' && !read.has(id)) ||
    events.some(({ log }) => parseLogKey(log).mode === 'live')
  );
};

/** The letters of an erasure, with the gaps of the count before it. */
const withGapsOf = (before: FoundLetters, erased: FoundLetters): FoundLetters => ({
  found: erased.found,
  unreadable: [...before.unreadable, ...erased.unreadable],
  hasMore: before.hasMore || erased.hasMore,
  // Another command has taken the others since.
  hasHeld: before.hasHeld || erased.found < before.found,
});

/** Erases what a search has found, and records it. */
const eraseAndRecord = (
  host: Host,
  stage: Stage,
  search: Search,
  readable: Readable,
  state: SearchState,
): ReturnType<typeof eraseFound> =>
  recordChange(
    host,
    stage,
    { command: 'buyers erase', ids: { cartIds: readable.carts.map(({ cart }) => cart.id) } },
    () => eraseFound(host, stage, search, readable, state),
    ({ counts: { carts, ...others } }) => ({ liveCarts: carts.live, testCarts: carts.test, ...others }),
  );

const eraseBuyer = (host: Host, flags: EraseFlags): Promise<void> =>
  withFoundBuyer(host, flags, async (stage, search, state) => {
    const { found } = state;
    const { items: carts, unreadable: unreadableCarts } = await readFoundCarts(stage, found);
    const { items: events, unreadable: unreadableEvents } = await readFoundEvents(stage, found);
    const unreadable = [...unreadableCarts, ...unreadableEvents];
    const letters = await eraseDeadLetters(stage, search, true);
    const counts: Counts = {
      carts: { live: countUnerased(carts, 'live'), test: countUnerased(carts, 'test') },
      events: events.length,
      deliveries: found.deliveries.filter(({ hasText }) => hasText).length,
      deadLetters: letters.found,
    };
    if (flags.dryRun) {
      const line = `Would erase the buyer's data of ${describe(counts)}.`;
      return printResult(host, flags, { result: { dryRun: true, ...counts }, line }, unreadable, letters);
    }
    if (carts.length + counts.events + counts.deliveries + counts.deadLetters === 0) {
      const hasGaps = unreadable.length + letters.unreadable.length > 0 || letters.hasMore || letters.hasHeld;
      const line = hasGaps ? 'Erased nothing.' : 'Found nothing to erase.';
      return printResult(host, flags, { result: { ...counts, cartIds: [] }, line }, unreadable, letters);
    }
    const mode = isLive(carts, found) || counts.deadLetters > 0 ? 'live' : 'test';
    const action = `Permanently erasing the buyer's data of ${describe(counts)} on the stage ${stage.name}`;
    await confirmLive(host, action, { mode, ...flags });
    const erased = await eraseAndRecord(host, stage, search, { carts, events }, state);
    const result = { ...erased.counts, cartIds: carts.map(({ cart }) => cart.id) };
    const line = `Erased the buyer's data of ${describe(erased.counts)}.`;
    const all = [...unreadable, ...erased.unreadable];
    return printResult(host, flags, { result, line }, all, withGapsOf(letters, erased.letters));
  });

const HELP = `
Examples:
  npm run operate -- buyers erase --email ada@example.com --store shop --dry-run
  echo ada@example.com | npm run operate -- buyers erase --email - --stage prod --yes

It finds the carts with this e-mail address in customerInfo, in any case. It permanently erases their customerInfo, meta and
return address, also in their events and in dead letters. It also erases the texts of the responses to their deliveries. Ids,
products, amounts, payments, statuses and times stay. It sends no event. Buyers can still pay an erased cart that waits.
It does not search meta. A merchant's own copies of the address in carts of another address therefore stay.
If it cannot read an item or all dead letters, it erases the rest, says so, and exits with 1.
It does not search the delivery queue. A delivery in it, or a stream record of the last 24 hours, can become a dead letter with
the data later: run the same command again after a day, and after a redrive of dead letters.
It reads whole tables at a limited rate, and states the cost first. With --dry-run, it only counts. It shows the counts and
asks before it changes live mode. After an interruption, the same command continues within a day. A repetition is harmless.`;

/** `buyers erase`: erases the personal data of a buyer. */
export const eraseBuyerCommand = (host: Host): Command =>
  withYes(searchCommand('erase', 'permanently erase the personal data of a buyer', HELP))
    .option('--dry-run', 'count what it would erase, and change nothing')
    .action((flags: EraseFlags) => eraseBuyer(host, flags));
