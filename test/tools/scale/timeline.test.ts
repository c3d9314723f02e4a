import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTimeline, type Process } from './support/timeline.ts';

it('processes take their turns in the order of time, and at one moment in the order in which they were planned', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 }), (waits) => {
      const timeline = createTimeline(1_000);
      const turns: { atMs: number; index: number }[] = [];
      for (const [index, waitMs] of waits.entries()) {
        timeline.start(
          (function* wait(): Process {
            yield waitMs;
            turns.push({ atMs: timeline.nowMs(), index });
          })(),
        );
      }
      timeline.run();
      const planned = waits.map((waitMs, index) => ({ atMs: 1_000 + waitMs, index }));
      expect(turns).toStrictEqual(planned.toSorted((a, b) => a.atMs - b.atMs || a.index - b.index));
    }),
  );
});

it('a timeline that ran until a moment goes on from there, and leaves nothing out', () => {
  const timeline = createTimeline(0);
  const seenMs: number[] = [];
  timeline.start(
    (function* tick(): Process {
      for (;;) {
        yield 10;
        seenMs.push(timeline.nowMs());
      }
    })(),
  );
  timeline.run(35);
  expect(seenMs).toStrictEqual([10, 20, 30]);
  timeline.run(55);
  expect(seenMs).toStrictEqual([10, 20, 30, 40, 50]);
});
