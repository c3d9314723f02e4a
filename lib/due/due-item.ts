import { isReadable, schemaVersionOf } from '../core/schema-version.ts';
import type { DueEntry, DueKind } from './due-entry.ts';
import { isPackedIds, packIds, unpackIds } from './packed-ids.ts';

const KINDS: Readonly<Record<DueKind, true>> = { expiry: true, attempt: true, probe: true, drain: true };

/** A stored item, as the document client returns it. */
export type DueItem = Readonly<Record<string, unknown>>;

/** An entry as it is stored. */
export interface StoredDueEntry {
  readonly id: string;
  readonly dueAtMs: number;
  /** How often the handling of the entry failed. */
  readonly failures: number;
  /** Absent if the item is malformed, or if a later release stored it. */
  readonly entry: DueEntry | undefined;
  /** The whole item. */
  readonly item: DueItem;
}

/** The attributes of an entry. Its fields are those of {@link DueEntry}, with packed cart ids. */
export const toAttributes = (entry: DueEntry): DueItem => ({
  ...entry,
  ...(entry.kind === 'expiry' && { cartIds: packIds(entry.cartIds) }),
  ...schemaVersionOf('due entry'),
});

const isEndpoint = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['storeId', 'mode', 'endpointId'].every((name) => typeof (value as DueItem)[name] === 'string');

const entryOf = (item: DueItem) => {
  if (!isReadable('due entry', item)) return undefined;
  const { bucket: _, id: _id, dueAtMs: _due, failures: _failures, schemaVersion: _version, ...entry } = item;
  const { kind, mode, cartIds, endpoint, sequence, attempt } = entry;
  if (!Object.hasOwn(KINDS, String(kind))) return undefined;
  if (kind === 'expiry') {
    const isValid = (mode === 'live' || mode === 'test') && isPackedIds(cartIds);
    return isValid ? ({ kind, mode, cartIds: unpackIds(cartIds) } as const) : undefined;
  }
  if (!isEndpoint(endpoint)) return undefined;
  if (kind === 'attempt' && (typeof sequence !== 'number' || typeof attempt !== 'number')) return undefined;
  return entry as unknown as DueEntry;
};

/** The entry of a stored item. It never throws, so that a malformed item does not hide those beside it. */
export const fromItem = (item: DueItem): StoredDueEntry => ({
  id: String(item['id']),
  dueAtMs: Number(item['dueAtMs'] ?? 0),
  failures: Number(item['failures'] ?? 0),
  entry: entryOf(item),
  item,
});
