import { median, medianRatio, type Report } from '../../report.ts';
import type { LoadResult } from './load.ts';

export type StageName = 'local' | 'bare';

/** The results of one operation at one number of connections: for each stage, one result per round. */
export interface LoadCell {
  readonly operation: string;
  readonly connections: number;
  readonly results: ReadonlyMap<StageName, readonly LoadResult[]>;
}

const valuesOf = ({ results }: LoadCell, stage: StageName, figure: keyof LoadResult): number[] =>
  results.get(stage)!.map((result) => result[figure]);

/** The median ratio of a stage's figure to the bare stage's figure. */
export const ratioOf = (cell: LoadCell, figure: keyof LoadResult, stage: StageName = 'local'): number =>
  medianRatio(valuesOf(cell, stage, figure), valuesOf(cell, 'bare', figure));

/** Makes the table of cells: a row for each stage. */
export const tableOf = (cells: readonly LoadCell[]): Pick<Report, 'columns' | 'rows'> => ({
  columns: ['operation', 'connections', 'stage', 'requests/s', 'of bare', 'p50 ms', 'p99 ms', 'p50 of bare'],
  rows: cells.flatMap((cell) =>
    [...cell.results.keys()].map((stage) => [
      cell.operation,
      String(cell.connections),
      stage,
      median(valuesOf(cell, stage, 'requestsPerSecond')).toFixed(0),
      ratioOf(cell, 'requestsPerSecond', stage).toFixed(2),
      median(valuesOf(cell, stage, 'p50Ms')).toFixed(2),
      median(valuesOf(cell, stage, 'p99Ms')).toFixed(2),
      ratioOf(cell, 'p50Ms', stage).toFixed(3),
    ]),
  ),
});
