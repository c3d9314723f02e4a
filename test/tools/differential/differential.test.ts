import { expect, inject, it } from 'vitest';
import { INTENDED_DIFFERENCES } from './intended-differences.ts';
import { runDifferential } from './run.ts';

const CALLS = 250;

/** Among its first calls are most commands and each intended difference. */
const SEED = 1;

/** Only a hanging call takes so long. */
const TIME_MAX_MS = 60_000;

it('some hundred generated calls show a caller the same as the SDK, but for the intended differences', async () => {
  const database = inject('dynamodbEndpoint');
  const endsAtMs = Date.now() + TIME_MAX_MS;
  const { tally, difference } = await runDifferential({ database, calls: CALLS, seed: SEED, endsAtMs });
  expect(difference).toBeUndefined();
  expect(tally.calls).toBeGreaterThanOrEqual(CALLS);
  expect([...tally.intended].toSorted()).toEqual(Object.keys(INTENDED_DIFFERENCES).toSorted());
});
