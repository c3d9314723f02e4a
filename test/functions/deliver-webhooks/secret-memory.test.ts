import { expect, it } from 'vitest';
import { manualClock } from '../../support/clock.ts';
import { beforeCalls } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { newEndpoint, storeEndpoint } from '../../support/domain/endpoints.ts';
import { processOn } from '../../support/functions/delivery.ts';

it('a process remembers a secret for an hour, so rotations do not fill its memory', async () => {
  const database = await givenDatabase();
  const endpoint = newEndpoint();
  const secret = await storeEndpoint(database, endpoint);
  const documents = database.newClient();
  let reads = 0;
  beforeCalls(documents, () => (reads += 1));
  const clock = manualClock();
  const { findSecret } = processOn({ ...database, documents }, { now: clock.now });

  for (const [seconds, expected] of [
    [0, 1],
    [3_599, 1],
    [1, 2],
  ] as const) {
    clock.advance(seconds);
    expect(await findSecret(endpoint)).toMatchObject({ secret });
    expect(reads).toBe(expected);
  }
});
