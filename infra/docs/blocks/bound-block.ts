import { boundOf, type Steady, STEADY } from '../../bounds/performance-bounds.ts';
import { bold, table } from './markdown.ts';

const rowsOf = (steady: Steady): string[][] =>
  Object.entries(steady.medians).map(([name, median]) => [
    steady.measure,
    name,
    median > (steady.ceiling ?? Infinity) ? bold(String(median)) : String(median),
    String(Number(boundOf(steady, name).toPrecision(3))),
    String(steady.ceiling ?? ''),
  ]);

/** The table of figures that have a bound. A median beyond its ceiling is in bold. */
export const boundTable = (): string =>
  table([['Measure', 'Of', 'Median', 'Bound', 'Ceiling'], ...Object.values(STEADY).flatMap(rowsOf)]);
