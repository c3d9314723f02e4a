import { boundOf, type Baseline, BASELINES } from '../../bounds/bounds.ts';
import { bold, table } from './markdown.ts';

const rowsOf = (baseline: Baseline): string[][] =>
  Object.entries(baseline.medians).map(([name, median]) => [
    baseline.measure,
    name,
    median > (baseline.ceiling ?? Infinity) ? bold(String(median)) : String(median),
    String(Number(boundOf(baseline, name).toPrecision(3))),
    String(baseline.ceiling ?? ''),
  ]);

/** The table of figures that have a bound. A median beyond its ceiling is in bold. */
export const boundTable = (): string =>
  table([['Measure', 'Of', 'Median', 'Bound', 'Ceiling'], ...Object.values(BASELINES).flatMap(rowsOf)]);
