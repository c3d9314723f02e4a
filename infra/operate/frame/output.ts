import { isoTime } from '../../../lib/core/timestamps.ts';

/** A moment to the minute, in UTC, for a table. */
export const minuteOf = (timeMs: number | undefined, otherwise = ''): string =>
  timeMs === undefined ? otherwise : isoTime(timeMs).slice(0, -8).replace('T', ' ');

/** An object for the JSON. Its times in milliseconds become ISO 8601: `createdAtMs` is `createdAt`, and `atMs` is `at`. */
export const withIsoTimes = (fields: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) =>
      name.endsWith('Ms')
        ? [name.slice(0, -'Ms'.length), typeof value === 'number' ? isoTime(value) : undefined]
        : [name, value],
    ),
  );

/** A name in a form, with the names in its objects in parentheses. */
const DECLARED = /(\w+)\??(?:\(([^)]*)\))?/g;

/**
 * The declared fields of an object, or of each object in a list, with times in ISO 8601. A field that is not declared is never
 * printed.
 *
 * @param form such as `keys(keyId label? createdAt) unreadable?`
 */
export const declaredJson = <Value>(form: string, value: Value): Value | object => {
  if (Array.isArray(value)) return value.map((item: unknown) => declaredJson(form, item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = withIsoTimes(value);
  const pick = (name: string, within?: string): unknown =>
    within === undefined ? fields[name] : declaredJson(within, fields[name]);
  return Object.fromEntries(
    Array.from(form.matchAll(DECLARED), ([, name = '', within]) => [name, pick(name, within)]),
  );
};

/** A list that belongs into the JSON only if it is not empty. */
export const ifAny = <Item>(items: readonly Item[]): readonly Item[] | undefined =>
  items.length > 0 ? items : undefined;

/** The items of a store, or all of them. */
export const ofStore = <Item extends { readonly storeId: string }>(
  storeId: string | undefined,
  items: readonly Item[],
): readonly Item[] => items.filter((item) => storeId === undefined || item.storeId === storeId);

/** Orders items by a text or a number. */
export const by =
  <Item>(keyOf: (item: Item) => string | number) =>
  (a: Item, b: Item): number => {
    const [key, other] = [keyOf(a), keyOf(b)];
    return key < other ? -1 : Number(key > other);
  };
