import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DueHeap } from '../../../../infra/local/aws/due-heap.ts';

it('returns what is due, the earliest first, and nothing that is not', () => {
  const times = fc.array(fc.nat({ max: 20 }), { maxLength: 40 });
  fc.assert(
    fc.property(times, times, fc.nat({ max: 20 }), (early, late, nowMs) => {
      const heap = new DueHeap<string>();
      const pushed: number[] = [];
      const push = (atMs: number): void => {
        heap.push(`item ${atMs}`, atMs);
        pushed.push(atMs);
      };
      const popAll = (untilMs: number): unknown[] => {
        const popped: unknown[] = [];
        for (let due = heap.popDue(untilMs); due; due = heap.popDue(untilMs)) popped.push(due);
        return popped;
      };
      const expected = (from: readonly number[]) =>
        from.toSorted((a, b) => a - b).map((atMs) => ({ atMs, item: `item ${atMs}` }));
      for (const atMs of early) push(atMs);
      expect(popAll(nowMs)).toEqual(expected(pushed.filter((atMs) => atMs <= nowMs)));
      const left = early.filter((atMs) => atMs > nowMs);
      for (const atMs of late) push(atMs);
      expect(popAll(20)).toEqual(expected([...left, ...late]));
    }),
  );
});
