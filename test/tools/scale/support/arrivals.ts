import type { Random } from '../../faults/load/random.ts';
import type { Process, Timeline } from './timeline.ts';

/** Requests that know nothing of one another, a Poisson process without end; each one takes its own course. */
export function* arrivals(
  timeline: Timeline,
  { perSecond, random }: { readonly perSecond: number; readonly random: Random },
  request: () => Process,
): Process {
  for (;;) {
    yield (-Math.log(1 - random.next()) * 1_000) / perSecond;
    timeline.start(request());
  }
}
