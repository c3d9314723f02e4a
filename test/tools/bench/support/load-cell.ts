import { median, medianRatio, type Report } from '../../report.ts';

/** The figures of all requests but the rejected ones. */
export interface LoadResult {
  /** The responses with 503. */
  readonly rejections: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One operation over a number of connections, with its results on each side, by round. */
export interface LoadCell<Side> {
  readonly operation: string;
  readonly connections: number;
  readonly results: ReadonlyMap<Side, readonly LoadResult[]>;
}

const valuesOf = <Side>({ results }: LoadCell<Side>, side: Side, figure: keyof LoadResult): number[] =>
  results.get(side)!.map((result) => result[figure]);

/** The median ratio of a figure on a side to that on another side. */
export const ratioOf = <Side>(
  cell: LoadCell<Side>,
  figure: keyof LoadResult,
  side: Side,
  reference: Side,
): number => medianRatio(valuesOf(cell, side, figure), valuesOf(cell, reference, figure));

/** Makes the table of cells: a row for each side, compared with the reference. */
export const tableOf = <Side>(
  cells: readonly LoadCell<Side>[],
  [kind, nameOf]: readonly [kind: string, nameOf: (side: Side) => string],
  [name, reference]: readonly [name: string, reference: Side],
): Pick<Report, 'columns' | 'rows'> => ({
  columns: [
    'operation',
    'connections',
    kind,
    'requests/s',
    `of ${name}`,
    'p50 ms',
    'p99 ms',
    `p50 of ${name}`,
  ],
  rows: cells.flatMap((cell) =>
    [...cell.results.keys()].map((side) => [
      cell.operation,
      String(cell.connections),
      nameOf(side),
      median(valuesOf(cell, side, 'requestsPerSecond')).toFixed(0),
      ratioOf(cell, 'requestsPerSecond', side, reference).toFixed(2),
      median(valuesOf(cell, side, 'p50Ms')).toFixed(2),
      median(valuesOf(cell, side, 'p99Ms')).toFixed(2),
      ratioOf(cell, 'p50Ms', side, reference).toFixed(3),
    ]),
  ),
});
