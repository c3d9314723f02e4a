/** A value beside a limit. A missed bound fails the command. */
export interface Verdict {
  readonly bound: string;
  readonly measured: string;
  readonly ok: boolean;
  /** Whether a miss is printed alone: of a timing, which other programs on the machine change, or of a ceiling not yet met. */
  readonly isGoal?: true;
}

export interface Report {
  readonly title: string;
  /** The method, in a sentence or two. */
  readonly method: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly verdicts: readonly Verdict[];
}

export interface Effort {
  readonly isQuick: boolean;
}

/** A verdict on a value that may not exceed a bound. */
export const atMost = (bound: string, value: number, max: number, text = value.toFixed(3)): Verdict => ({
  bound,
  measured: text,
  ok: value <= max,
});

/** A verdict on a value that may not fall below a bound. */
export const atLeast = (bound: string, value: number, min: number, text = value.toFixed(3)): Verdict => ({
  bound,
  measured: text,
  ok: value >= min,
});

/** Makes a verdict that fails no command. */
export const goal = (verdict: Verdict): Verdict => ({ ...verdict, isGoal: true });

const lineOf = ({ bound, measured, ok, isGoal }: Verdict): string =>
  `${ok ? 'ok    ' : 'MISSED'} ${isGoal ? 'goal: ' : ''}${bound}: ${measured}`;

/** Whether a value misses a bound. */
export const fails = ({ verdicts }: Pick<Report, 'verdicts'>): boolean =>
  verdicts.some(({ ok, isGoal }) => !ok && !isGoal);

/** Aligns the cells of a table: numbers to the right, all else to the left. */
export const alignRows = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (cell: string, column: number): string =>
    /^-?[\d.,]+(?: %|\/s)?$/.test(cell) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  return rows.map((row) => row.map(align).join('  ').trimEnd());
};

/** Formats a report: its table, then a line for each of its bounds. */
export const reportText = ({ title, method, columns, rows, verdicts }: Report): string =>
  [`\n${title}`, method, ...alignRows([columns, ...rows]), ...verdicts.map(lineOf), ''].join('\n');

/** The value below which a share of the values lies, by nearest rank. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The ratios of values that were measured in pairs. */
export const ratios = (values: readonly number[], references: readonly number[]): number[] =>
  values.map((value, index) => value / (references[index] ?? Number.NaN));

export const medianRatio = (values: readonly number[], references: readonly number[]): number =>
  median(ratios(values, references));

/**
 * Measures each side once per round, in alternating order. A first round warms up and is dropped.
 *
 * @returns the results of each side, by round
 */
export const measureInTurn = async <Side, Result>(
  sides: readonly Side[],
  rounds: number,
  measure: (side: Side) => Promise<Result> | Result,
): Promise<Map<Side, Result[]>> => {
  const results = new Map(sides.map((side): [Side, Result[]] => [side, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const result = await measure(side);
      if (round >= 0) results.get(side)!.push(result);
    }
  }
  return results;
};
