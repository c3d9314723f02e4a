import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulateTwoRegions, type TwoRegions } from './regions/simulation.ts';

const twoRegions = (scheme: TwoRegions['scheme']): fc.Arbitrary<TwoRegions> =>
  fc.record({
    scheme: fc.constant(scheme),
    limits: fc.record({
      // Even, so that it has halves.
      limit: fc.integer({ min: 1, max: 100 }).map((half) => 2 * half),
      windowSeconds: fc.integer({ min: 1, max: 10 }),
    }),
    offeredPerSecond: fc.integer({ min: 1, max: 500 }),
    firstShare: fc.double({ min: 0, max: 1, noNaN: true }),
    seconds: fc.constant(5),
    seed: fc.integer(),
  });

const OVERLOADED: TwoRegions = {
  scheme: 'last writer wins',
  limits: { limit: 100, windowSeconds: 1 },
  offeredPerSecond: 400,
  firstShare: 0.5,
  seconds: 10,
  seed: 1,
};

describe('a key in two regions', () => {
  it.each(['half of the limit each', 'a home region'] as const)(
    'keeps its limit in every interval, whatever arrives where: %s',
    (scheme) => {
      fc.assert(
        fc.property(twoRegions(scheme), (options) => {
          expect(simulateTwoRegions(options)).toMatchObject({ beyond: 0, burst: 0 });
        }),
      );
    },
  );

  it('gets its limit twice where the last writer wins', () => {
    const { admitted, allowed, beyond } = simulateTwoRegions(OVERLOADED);
    expect(admitted / allowed).toBeCloseTo(2, 1);
    expect(beyond).toBeGreaterThan(900);
  });

  it('gets all of its limit in its home region, and half where the other half is elsewhere', () => {
    const inOne = { ...OVERLOADED, firstShare: 1 };
    const home = simulateTwoRegions({ ...inOne, scheme: 'a home region' });
    const halves = simulateTwoRegions({ ...inOne, scheme: 'half of the limit each' });
    expect(home.admitted / home.allowed).toBeCloseTo(1, 1);
    expect(halves.admitted / halves.allowed).toBeCloseTo(0.5, 1);
  });

  it('repeats itself exactly by its seed, and by no other', () => {
    expect(simulateTwoRegions(OVERLOADED)).toStrictEqual(simulateTwoRegions(OVERLOADED));
    expect(simulateTwoRegions({ ...OVERLOADED, seed: 2 })).not.toStrictEqual(simulateTwoRegions(OVERLOADED));
  });
});
