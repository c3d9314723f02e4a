import { boundOf, type Steady } from '../../../../infra/bounds/performance-bounds.ts';
import { atMost, goal, type Verdict } from '../../report.ts';

/** Judges a value by its bound. A ceiling that the median misses is a goal. */
export const judgeSteady = (steady: Steady, name: string, value: number): Verdict[] => {
  const { measure, ceiling = Infinity, medians } = steady;
  const subject = `${measure}, ${name}: at most`;
  if (medians[name] === undefined) {
    return [
      atMost(`${subject} its median, which infra/bounds/performance-bounds.ts lacks`, value, -Infinity),
    ];
  }
  const bound = boundOf(steady, name);
  return [
    atMost(`${subject} ${bound.toFixed(3)}, with a median of ${medians[name]}`, value, bound),
    ...(ceiling < bound ? [goal(atMost(`${subject} ${ceiling}`, value, ceiling))] : []),
  ];
};
