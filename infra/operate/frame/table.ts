import stringWidth from 'string-width';
import type { Output } from '../../terminal/terminal.ts';

/** The columns of a table, by heading: how to get the cell of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** Aligns the cells of each column, with a gap of two spaces. Nothing follows the last cell of a row. */
const aligned = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => stringWidth(row[i] ?? '')))) ?? [];
  const gapAfter = (cell: string, i: number) => ' '.repeat((widths[i] ?? 0) - stringWidth(cell) + 2);
  return rows.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell + gapAfter(cell, i))).join(''),
  );
};

/**
 * Lays out rows for a width: each in one line, or the columns that have no room in a second, indented line. `undefined` if two lines
 * are too narrow.
 */
const inTwoLines = (rows: readonly (readonly string[])[], widthMax: number): string[] | undefined => {
  const columns = rows[0]?.length ?? 0;
  const fitting = (from: number, to: number, indent: string): string[] | undefined => {
    const lines = aligned(rows.map((row) => row.slice(from, to))).map((line) => indent + line);
    return lines.every((line) => stringWidth(line) <= widthMax) ? lines : undefined;
  };
  const whole = fitting(0, columns, '');
  if (whole) return whole;
  for (let split = columns - 1; split > 0; split -= 1) {
    const first = fitting(0, split, '');
    const second = first && fitting(split, columns, '  ');
    if (first) return second && first.flatMap((line, i) => [line, second[i] ?? '']);
  }
  return undefined;
};

/**
 * Lays out rows in columns below headings. A terminal that is too narrow gets no empty columns, and a second line for each row. If
 * that does not suffice, it gets the cells of a row one below the other, each after its heading. All texts are whole: people copy
 * them.
 *
 * @param otherwise the only line if there are no rows
 */
export const table = <Row>(
  { isTTY, columns: widthMax = Infinity }: Output,
  columns: Columns<Row>,
  rows: readonly Row[],
  otherwise: string,
): string[] => {
  if (rows.length === 0) return [otherwise];
  const headings = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)));
  const lines = aligned([headings, ...cells]);
  const isTooWide = lines.some((line) => stringWidth(line) > widthMax);
  // A terminal that does not know its width reports 0.
  if (isTTY !== true || widthMax === 0 || !isTooWide) return lines;
  const isUsed = (_: string, i: number): boolean => cells.some((row) => row[i] !== '');
  const narrow = inTwoLines(
    [headings, ...cells].map((row) => row.filter(isUsed)),
    widthMax,
  );
  if (narrow) return narrow;
  return cells.flatMap((row, index) => {
    const pairs = row.map((cell, i) => [headings[i] ?? '', cell]);
    return [...(index === 0 ? [] : ['']), ...aligned(pairs).filter((_, i) => row[i] !== '')];
  });
};
