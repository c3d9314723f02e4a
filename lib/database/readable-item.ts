import type { Item } from './documents.ts';

/** A stored item that this release cannot read: it lacks a field, or a later release stored it. */
export class UnreadableItemError extends Error {}

/**
 * A kind of stored item, and the version of its shape. Raise a version only if an earlier reader would misread the items, and
 * first release a reader of both: see `docs/upgrade.md`, "Schema versions".
 */
export interface ItemSchema {
  readonly kind: string;
  readonly version: number;
}

/** The attribute of an item with the version of its shape. */
export const schemaVersionOf = ({ version }: ItemSchema): { readonly schemaVersion: number } => ({
  schemaVersion: version,
});

/** The type of each field that every item of a kind has. */
type FieldTypes = readonly (readonly [name: string, type: string])[];

/**
 * Rejects an item that lacks a field.
 *
 * @throws UnreadableItemError that names the first field that is missing or has another type
 */
export const assertFields = (kind: string, item: Item, fields: FieldTypes): void => {
  const invalid = fields.find(([name, type]) => typeof item[name] !== type);
  if (invalid) throw new UnreadableItemError(`A stored ${kind} has no valid ${invalid[0]}`);
};

/**
 * Rejects an item that this release would misread. An item without a version has version 1.
 *
 * @throws UnreadableItemError that names both versions, if a later release stored the item. Otherwise, it names the first field
 *   that is missing or has another type
 */
export const assertReadable = ({ kind, version }: ItemSchema, item: Item, fields: FieldTypes = []): void => {
  const { schemaVersion = 1 } = item;
  if (typeof schemaVersion !== 'number' || schemaVersion > version) {
    throw new UnreadableItemError(
      `A stored ${kind} has the schema version ${String(schemaVersion)}, and this release reads up to ${version}: deploy the later release`,
    );
  }
  assertFields(kind, item, fields);
};
