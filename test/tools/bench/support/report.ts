/** A bound of a part, and whether what was measured keeps it. */
export interface Verdict {
  readonly bound: string;
  readonly measured: string;
  readonly ok: boolean;
}

/** What a part of the benchmark found. */
export interface Report {
  readonly title: string;
  /** How it was measured, in a sentence or two. */
  readonly method: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly verdicts: readonly Verdict[];
}

/** How long and how often to measure. */
export interface Effort {
  readonly isQuick: boolean;
}

const alignRows = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (cell: string, column: number): string =>
    /^[-\d.]/.test(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(align).join('  ').trimEnd());
};

/** A part's table, with a line for each of its bounds. */
export const reportText = ({ title, method, columns, rows, verdicts }: Report): string =>
  [
    `\n${title}`,
    method,
    ...alignRows([columns, ...rows]),
    ...verdicts.map(({ bound, measured, ok }) => `${ok ? 'ok   ' : 'SHORT'} ${bound}: ${measured}`),
    '',
  ].join('\n');
