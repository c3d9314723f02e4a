import { boundOf, type Baseline } from '../../../../infra/bounds/bounds.ts';
import { atMost, goal, type Verdict } from '../../report.ts';

/** Judges a value by its bound. A ceiling that the median misses is a goal. */
export const checkBaseline = (baseline: Baseline, name: string, value: number): Verdict[] => {
  const { measure, ceiling = Infinity, medians } = baseline;
  const subject = `${measure}, ${name}: at most`;
  if (medians[name] === undefined) {
    return [atMost(`${subject} its median, which infra/bounds/bounds.ts lacks`, value, -Infinity)];
  }
  const bound = boundOf(baseline, name);
  return [
    atMost(`${subject} ${bound.toFixed(3)}, with a median of ${medians[name]}`, value, bound),
    ...(ceiling < bound ? [goal(atMost(`${subject} ${ceiling}`, value, ceiling))] : []),
  ];
};
