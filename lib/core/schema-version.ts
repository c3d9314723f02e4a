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

/**
 * Rejects an item that this release would misread. An item without a version has version 1.
 *
 * @param fields the type of each field that every item of the kind has
 * @throws UnreadableItemError that names both versions, if a later release stored the item. Otherwise, it names the first field
 *   that is missing or has another type
 */
export const assertReadable = (
  kind: VersionedKind,
  item: Item,
  fields: readonly (readonly [name: string, type: string])[] = [],
): void => {
  const { schemaVersion = 1 } = item;
  if (typeof schemaVersion !== 'number' || schemaVersion > SCHEMA_VERSIONS[kind]) {
    throw new UnreadableItemError(
      `A stored ${kind} has the schema version ${String(schemaVersion)}, and this release reads up to ${SCHEMA_VERSIONS[kind]}: deploy the later release`,
    );
  }
  const invalid = fields.find(([name, type]) => typeof item[name] !== type);
  if (invalid) throw new UnreadableItemError(`A stored ${kind} has no valid ${invalid[0]}`);
};
