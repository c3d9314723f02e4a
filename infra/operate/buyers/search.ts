import { hash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { parseEventBody, possibleEventIds } from '../../../lib/carts/cart-event.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { parseLogKey } from '../../../lib/events/logged-event.ts';
import type { DeliveryKey } from '../../../lib/webhooks/delivery-eraser.ts';
import type { DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import { UsageError } from '../../command-line.ts';
import { LOCAL_FOLDER } from '../../local/stage-file.ts';
import type { Streams } from '../../terminal.ts';
import { cartTablesOf } from '../carts/commands.ts';
import type { Context, OptionsOf, Result } from '../command.ts';
import { isoTime, ofStore } from '../output.ts';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';
import { type ScanContext, type ScanPosition, scanTables, type TableScan } from '../scan.ts';
import type { Stage } from '../stage.ts';
import type { BUYERS } from './commands.ts';
import { type Found, readCarts, type SearchResult } from './found-items.ts';

/** The forms that carts store: ASCII, with neither quotes nor backslashes. */
const EMAIL = /^[^\s"\\@\u0080-\uffff]{1,253}@[^\s"\\@\u0080-\uffff]{1,253}$/;

/** E-mail addresses that differ only in case belong to one buyer: no mail provider in use distinguishes them. */
const normalise = (email: string): string => email.trim().toLowerCase();

/** Reads a line. Unlike `ask`, it does not repeat the line on standard error, which a script may log. */
const readLine = async ({ stdin }: Pick<Streams, 'stdin'>): Promise<string> => {
  const lines = createInterface({ input: stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return '';
};

export interface Buyer {
  /** Trimmed and in lower case. */
  readonly email: string;
  /** Whether an address of a cart is the buyer's. */
  readonly has: (email: unknown) => boolean;
  /** Whether a JSON text, or JSON within it, has the address as a value. */
  readonly isIn: (json: string) => boolean;
}

/**
 * Reads the buyer of a command.
 *
 * @param option the value of `--email`
 * @throws UsageError if it is not an e-mail address. The message does not repeat it
 */
export const readBuyer = async (option: string, streams: Streams): Promise<Buyer> => {
  if (option === '-' && streams.stdin.isTTY === true) streams.stderr.write('E-mail address: ');
  const email = normalise(option === '-' ? await readLine(streams) : option);
  if (!EMAIL.test(email))
    throw new UsageError('--email must be one e-mail address, or - for standard input.');
  return {
    email,
    has: (other) => typeof other === 'string' && normalise(other) === email,
    isIn: (json) => {
      const text = json.toLowerCase();
      // JSON within JSON ends its texts with \".
      return text.includes(`"${email}"`) || text.includes(`"${email}\\`);
    },
  };
};

/** The state of a search, as JSON. */
interface SearchState extends SearchResult {
  /** Where the scan of the tables continues. */
  readonly position: ScanPosition;
}

const hashOf = (salt: string, subject: readonly string[]): string =>
  hash('sha256', salt + JSON.stringify(subject), 'base64url');

/**
 * The file of a search. Only its owner can read it. It names keys, and has a salted hash of the search, so that a search for
 * another buyer does not continue it.
 *
 * @param subject the stage, the store and the buyer of the search
 */
export const openSearchFile = (file: string, subject: readonly string[]) => ({
  /** The state of the same search, if one was interrupted in the last 24 hours. */
  read(nowMs: number): SearchState | undefined {
    // A file that cannot be read is ignored: a new search begins.
    const stored = (readPrivateFile(file) ?? {}) as Partial<SearchState & { salt: string; subject: string }>;
    const { salt, startedAtMs, position, found } = stored;
    if (salt === undefined || stored.subject !== hashOf(salt, subject)) return undefined;
    if (startedAtMs === undefined || startedAtMs < nowMs - DAY_MS || !position || !found) return undefined;
    return { startedAtMs, position, found };
  },

  write(state: SearchState): void {
    const salt = randomBytes(16).toString('base64url');
    writePrivateFile(file, { salt, subject: hashOf(salt, subject), ...state });
  },

  remove: (): void => rmSync(file, { force: true }),
});

type Item = Readonly<Record<string, unknown>>;

/** The scan of a table. DynamoDB charges for whole items. */
interface SearchedTable extends TableScan {
  /** Adds the keys of the buyer's items in a page. */
  readonly collect: (items: readonly Item[]) => void;
}

interface Search {
  readonly buyer: Buyer;
  /** By default, all stores. */
  readonly store?: string | undefined;
  readonly stage: Pick<Stage, 'documents' | 'tableNames'>;
  readonly found: Found;
}

const cartsTable = (table: 'carts' | 'testCarts', { buyer, store, stage, found }: Search): SearchedTable => ({
  input: {
    TableName: stage.tableNames[table],
    ProjectionExpression: 'id, storeId, customerInfo.email',
    // Neither an erased cart nor the claim of a payment has an address.
    FilterExpression: 'attribute_exists(customerInfo.email)',
  },
  collect(items) {
    const carts = ofStore(
      store,
      items as unknown as readonly Pick<Cart, 'storeId' | 'id' | 'customerInfo'>[],
    );
    const ofBuyer = carts.filter(({ customerInfo }) => buyer.has(customerInfo.email));
    found.carts.push(...ofBuyer.map(({ id }) => ({ table, id })));
  },
});

/** Whether an event is about a cart of the buyer. An invalid body that names the address counts: it may be the buyer's. */
const isEventOf = (buyer: Buyer, { body, cartId }: Item): boolean => {
  if (cartId === undefined || typeof body !== 'string' || !buyer.isIn(body)) return false;
  const event = parseEventBody(body);
  return event === undefined || buyer.has(event.data.customerInfo.email);
};

const eventsTable = ({ buyer, store, stage, found }: Search): SearchedTable => ({
  input: { TableName: stage.tableNames.events },
  collect(items) {
    const events = items.filter((item) => isEventOf(buyer, item)) as unknown as Found['events'];
    const ofLogs = events.filter(({ log }) => store === undefined || parseLogKey(log).storeId === store);
    found.events.push(...ofLogs.map(({ log, sequence, id }) => ({ log, sequence, id })));
  },
});

/** A delivery as the search reads it. An erasure marks a delivery before its first attempt. */
type Delivery = DeliveryKey & Partial<Pick<DeliveryRecord, 'attempts'>>;

const deliveriesTable = ({ stage, found }: Search): SearchedTable => {
  const eventIds = new Set<unknown>();
  return {
    input: {
      TableName: stage.tableNames.deliveries,
      ProjectionExpression: 'endpointId, id, eventId, attempts',
    },
    isNeeded: async () => {
      // The command reads the carts again, and names those that are unreadable.
      const carts = await readCarts(found.carts, stage, new Set());
      for (const id of carts.flatMap(({ cart }) => possibleEventIds(cart))) eventIds.add(id);
      // The cart of a found event may be erased already, or unreadable.
      for (const { id } of found.events) eventIds.add(id);
      return eventIds.size > 0;
    },
    collect(items) {
      const deliveries = items.filter(({ eventId }) => eventIds.has(eventId)) as unknown as Delivery[];
      const hasText = ({ attempts = [] }: Delivery) =>
        attempts.some(({ response }) => response !== undefined);
      found.deliveries.push(
        ...deliveries.map((each) => ({ endpointId: each.endpointId, id: each.id, hasText: hasText(each) })),
      );
    },
  };
};

/**
 * Searches a stage for a buyer: reads the tables of carts, events and deliveries, at a limited rate. An interrupted search
 * continues. It reads carts first: if it misses an event of a found cart, the event was recorded after its start.
 *
 * @throws any error of DynamoDB. The file then has the state
 */
export const searchBuyer = async (
  { buyer, store }: Pick<Search, 'buyer' | 'store'>,
  file: ReturnType<typeof openSearchFile>,
  context: ScanContext & Pick<Context, 'now'> & Pick<Search, 'stage'>,
): Promise<SearchResult> => {
  const { now, say, stage } = context;
  const stored = file.read(now());
  if (stored) say(`Continues the search of ${isoTime(stored.startedAtMs)}. It finds no carts created since.`);
  const { startedAtMs = now(), position: from } = stored ?? {};
  const found: Found = stored?.found ?? { carts: [], events: [], deliveries: [] };
  const search = { buyer, store, stage, found };
  const carts = cartTablesOf().map((table) => cartsTable(table, search));
  const tables = [...carts, eventsTable(search), deliveriesTable(search)];
  for await (const { table, items, next } of scanTables(context, tables, { step: 'Searching', from })) {
    tables[table]?.collect(items);
    file.write({ startedAtMs, position: next, found });
  }
  return { startedAtMs, found };
};

/**
 * The text that identifies the data of a stage. Another account or region may have a stage of the same name, and the address
 * of a local stage may have other data later.
 */
const dataIdOf = async ({ documents, tableNames }: Stage): Promise<string> => {
  const { Table } = await documents.send(new DescribeTableCommand({ TableName: tableNames.carts }));
  return JSON.stringify([Table?.TableArn, Table?.TableId, Table?.CreationDateTime]);
};

/**
 * Searches for the buyer of a command, then calls `use`. Until its result is printed, the file keeps the search: a repetition
 * of the command continues there.
 */
export const withFoundBuyer = async (
  { email, store, stateFile }: OptionsOf<typeof BUYERS.export>,
  context: Context,
  use: (buyer: Buyer, result: SearchResult) => Promise<Result>,
): Promise<Result> => {
  const { stage } = context;
  const buyer = await readBuyer(email, context);
  const subject = [await dataIdOf(stage), store ?? '', buyer.email];
  const file = openSearchFile(stateFile ?? join(LOCAL_FOLDER, 'buyers', `${stage.name}.json`), subject);
  const result = await use(buyer, await searchBuyer({ buyer, store }, file, context));
  return { ...result, onPrinted: file.remove };
};
