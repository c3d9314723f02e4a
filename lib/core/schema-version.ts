/** A stored item that this release cannot read: it lacks a field, or a later release stored it. */
export class UnreadableItemError extends Error {}

/**
 * The version of the shape of each kind of stored item. Raise one only if an earlier reader would misread the items, and first
 * release a reader of both: see `docs/upgrade.md`, "Schema versions".
 */
const SCHEMA_VERSIONS = { cart: 1, event: 1, endpoint: 1, delivery: 1 } as const;

type VersionedKind = keyof typeof SCHEMA_VERSIONS;

type Item = Readonly<Record<string, unknown>>;

/** The attribute of an item with the version of its shape. */
export const schemaVersionOf = (kind: VersionedKind): { readonly schemaVersion: number } => ({
  schemaVersion: SCHEMA_VERSIONS[kind],
});

/** Whether this release reads the shape of an item. An item without a version has version 1. */
export const isReadable = (kind: VersionedKind, { schemaVersion = 1 }: Item): boolean =>
  typeof schemaVersion === 'number' && schemaVersion <= SCHEMA_VERSIONS[kind];

/**
 * Rejects an item whose shape this release would misread.
 *
 * @throws UnreadableItemError that names both versions, if a later release stored the item
 */
export const assertReadable = (kind: VersionedKind, item: Item): void => {
  if (isReadable(kind, item)) return;
  throw new UnreadableItemError(
    `A stored ${kind} has the schema version ${String(item['schemaVersion'])}, and this release reads up to ${SCHEMA_VERSIONS[kind]}: deploy the later release`,
  );
};
