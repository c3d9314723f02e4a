import { countCharacters } from '../../lib/core/text.ts';
import type { Line } from '../terminal.ts';

/** The columns of a table, by heading: how to get the cell of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** The columns that a terminal has at least. */
const TERMINAL_COLUMNS = 100;

const GAP = '  ';

/** Bounds the widths of the elastic columns, until a line fits the terminal or none is wider than its heading. */
const fit = (
  widths: readonly number[],
  headings: readonly string[],
  elastic: readonly string[],
): number[] => {
  const fittedTo = (widthMax: number): number[] =>
    headings.map((heading, i) => {
      const width = widths[i] ?? 0;
      return elastic.includes(heading) ? Math.min(width, Math.max(widthMax, heading.length)) : width;
    });
  const lengthOf = (columns: readonly number[]): number =>
    columns.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1));
  let widthMax = TERMINAL_COLUMNS;
  while (widthMax > 0 && lengthOf(fittedTo(widthMax)) > TERMINAL_COLUMNS) widthMax -= 1;
  return fittedTo(widthMax);
};

const cut = (cell: string, width: number): string =>
  countCharacters(cell) <= width
    ? cell
    : `${Array.from(cell)
        .slice(0, width - 1)
        .join('')}…`;

/**
 * Lays out rows in columns below a heading, which is bold on a terminal with colours.
 *
 * @param otherwise the only line if there are no rows
 * @param elastic the columns whose cells may be cut, so that a line fits 100 columns
 */
export const table = <Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  otherwise: string,
  elastic: readonly string[] = [],
): Line[] => {
  if (rows.length === 0) return [otherwise];
  const headings = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)));
  const needed = headings.map((_, i) =>
    Math.max(...[headings, ...cells].map((line) => countCharacters(line[i] ?? ''))),
  );
  const widths = fit(needed, headings, elastic);
  const [heading = '', ...lines] = [headings, ...cells].map((line) =>
    line
      .map((cell, i) => cut(cell, widths[i] ?? 0))
      .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - countCharacters(cell)))
      .join(GAP)
      .trimEnd(),
  );
  return [[['bold', heading]], ...lines];
};

/** The last moment that a Date can hold (ECMA-262, "Time Values and Time Range"). */
const TIME_MAX_MS = 8_640_000_000_000_000;

/** A moment in ISO 8601, in UTC. A moment beyond the last Date becomes the last Date. */
export const isoTime = (timeMs: number): string => new Date(Math.min(timeMs, TIME_MAX_MS)).toISOString();

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

/**
 * The declared fields of a result, and of the objects in its lists, with times in ISO 8601. A field that is not declared is
 * never printed.
 *
 * @param form such as `keys(keyId label? createdAt) unreadable?`
 */
export const declaredJson = (form: string, json: object): object => {
  const pick = (names: string, item: object): Record<string, unknown> => {
    const fields = withIsoTimes(item);
    return Object.fromEntries(Array.from(names.matchAll(/\w+/g), ([name]) => [name, fields[name]]));
  };
  const picked = pick(form.replaceAll(/\([^)]*\)/g, ''), json);
  for (const [, name = '', names = ''] of form.matchAll(/(\w+)\??\(([^)]*)\)/g)) {
    const part = picked[name] as object | readonly object[] | undefined;
    if (Array.isArray(part)) picked[name] = part.map((item: object) => pick(names, item));
    else if (part) picked[name] = pick(names, part);
  }
  return picked;
};

/** A list that belongs into the JSON only if it is not empty. */
export const ifAny = <Item>(items: readonly Item[]): readonly Item[] | undefined =>
  items.length > 0 ? items : undefined;

/** The items of a store, or all of them. */
export const ofStore = <Item extends { readonly storeId: string }>(
  storeId: string | undefined,
  items: readonly Item[],
): readonly Item[] => items.filter((item) => storeId === undefined || item.storeId === storeId);

/** Orders items by texts or numbers. The first one counts most. */
export const byParts =
  <Item>(partsOf: (item: Item) => readonly (string | number)[]) =>
  (a: Item, b: Item): number => {
    const others = partsOf(b);
    const orders = partsOf(a).map(
      (part, i) => Number(part > (others[i] ?? '')) - Number(part < (others[i] ?? '')),
    );
    return orders.find((order) => order !== 0) ?? 0;
  };
