import { expect, inject, it } from 'vitest';
import { INTENDED_DIFFERENCES } from '../../tools/differential/intended-differences.ts';
import { runDifferential } from '../../tools/differential/run.ts';

// `npm run test:differential` makes more calls. This seed shows every intended difference in few of them.
it('the lean client differs from the SDK’s only as intended, in generated calls', async () => {
  const { tally, difference } = await runDifferential({
    database: inject('dynamodbEndpoint'),
    calls: 100,
    seed: 100,
    sequencesPerSeed: 4,
    // The time limit of the test is shorter: on a slow machine, the run makes all its calls too.
    endsAtMs: Date.now() + 3_600_000,
  });
  expect(difference).toBeUndefined();
  expect(tally.calls).toBeGreaterThanOrEqual(100);
  expect([...tally.intended].toSorted()).toStrictEqual(Object.keys(INTENDED_DIFFERENCES).toSorted());
});
