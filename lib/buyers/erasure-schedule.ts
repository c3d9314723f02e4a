import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Mode } from '../core/mode.ts';
import type { Cart } from '../carts/cart.ts';
import { isPackedIds, packIds, unpackIds } from '../due/packed-ids.ts';
import { DAY_MS } from '../core/durations.ts';
import { callOptions, type Documents } from '../core/documents.ts';
import { queryPages } from '../core/dynamodb-pages.ts';
import { inParallel } from '../core/in-parallel.ts';
import { inParts } from '../core/in-parts.ts';

/** The part of a completed cart that the schedule needs. Its `updatedAtMs` is the time of its completion. */
export type CompletedCart = Pick<Cart, 'id' | 'mode' | 'updatedAtMs'>;

/** Completed carts whose buyers' data the service erases later. */
export interface ErasureEntry {
  readonly mode: Mode;
  /** Begins with the day of the carts' completion, so that ids sort by it. */
  readonly id: string;
  /** When the carts' day of completion began. */
  readonly completedFromMs: number;
  /** Empty if the item is malformed. */
  readonly cartIds: readonly string[];
}

/**
 * The erasures that the service has to do, by the day on which the carts were completed. The schedule does not depend on how
 * long the stage keeps personal data, so a change of that setting needs no new entries.
 *
 * All methods throw when DynamoDB is slow, throttles or is down.
 */
export interface ErasureSchedule {
  /** Stores completed carts. A repetition is harmless: an erased cart stays as it is. */
  put(carts: readonly CompletedCart[], signal?: AbortSignal): Promise<void>;

  /** Reads the entries of the carts of a mode that were completed before a day, the oldest first. */
  read(mode: Mode, beforeMs: number, signal?: AbortSignal): AsyncIterable<readonly ErasureEntry[]>;

  /** Replaces the carts of an entry by those that are left, or deletes the entry if none is. */
  keep(entry: ErasureEntry, cartIds: readonly string[], signal?: AbortSignal): Promise<void>;
}

/**
 * The start of the day, in UTC, since which completed carts keep their buyers' data. A cart becomes due between
 * `personalDataDays` and one day more after its completion.
 */
export const keptSince = (personalDataDays: number, nowMs: number): number =>
  Math.floor((nowMs - personalDataDays * DAY_MS) / DAY_MS) * DAY_MS;

/** The most carts of an entry: 16 KB. */
export const CARTS_PER_ENTRY = 1_000;

const ENTRIES_PER_PAGE = 20;

const PUTS_AT_ONCE = 10;

/** The partition of a mode. It names the mode for IAM policies, and never equals a minute of `lib/due/minutes.ts`. */
const bucketOf = (mode: Mode): string => `personal-data#${mode}`;

/** A day, such as `2026-11-22`. */
const dayText = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** The carts of a mode and a day share entries. */
export const entryGroupOf = ({ mode, updatedAtMs }: CompletedCart): string =>
  `${mode} ${dayText(updatedAtMs)}`;

/** The same carts always have the same id, so that a repeated call stores no second entry. */
const entryId = (completedAtMs: number, cartIds: readonly string[]): string =>
  `${dayText(completedAtMs)}#${createHash('sha256').update(cartIds.join()).digest('hex').slice(0, 32)}`;

const fromItem = (mode: Mode, item: Readonly<Record<string, unknown>>): ErasureEntry => {
  const id = String(item['id']);
  const { cartIds } = item;
  return {
    mode,
    id,
    completedFromMs: Date.parse(id.slice(0, 10)),
    cartIds: isPackedIds(cartIds) ? unpackIds(cartIds) : [],
  };
};

/** The schedule of erasures in the table `due`. */
export const createErasureSchedule = (documents: Documents, tableName: string): ErasureSchedule => {
  const putEntry = async (
    { mode, id, cartIds }: Pick<ErasureEntry, 'mode' | 'id' | 'cartIds'>,
    signal?: AbortSignal,
  ): Promise<void> => {
    const Item = { bucket: bucketOf(mode), id, cartIds: packIds(cartIds) };
    await documents.send(new PutCommand({ TableName: tableName, Item }), callOptions(signal));
  };

  return {
    async put(carts, signal) {
      const groups = Map.groupBy(carts, entryGroupOf);
      const parts = [...groups.values()].flatMap((group) => inParts(group, CARTS_PER_ENTRY));
      await inParallel(parts, PUTS_AT_ONCE, (part) => {
        const { mode, updatedAtMs } = part[0] as CompletedCart;
        const cartIds = part.map(({ id }) => id);
        return putEntry({ mode, id: entryId(updatedAtMs, cartIds), cartIds }, signal);
      });
    },

    async *read(mode, beforeMs, signal) {
      const query = {
        TableName: tableName,
        KeyConditionExpression: '#bucket = :bucket AND id < :before',
        ExpressionAttributeNames: { '#bucket': 'bucket' },
        ExpressionAttributeValues: { ':bucket': bucketOf(mode), ':before': dayText(beforeMs) },
        Limit: ENTRIES_PER_PAGE,
      };
      const pages = queryPages(documents, query, signal);
      for await (const { Items = [] } of pages) yield Items.map((item) => fromItem(mode, item));
    },

    async keep({ mode, id }, cartIds, signal) {
      if (cartIds.length > 0) return putEntry({ mode, id, cartIds }, signal);
      const Key = { bucket: bucketOf(mode), id };
      await documents.send(new DeleteCommand({ TableName: tableName, Key }), callOptions(signal));
    },
  };
};
