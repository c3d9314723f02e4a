import { afterAll, expect, test } from 'vitest';
import { NOW_MS } from '../../../support/clock.ts';
import { STORE_ID } from '../../../support/functions/dependencies.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';

const stage = await givenOperatedService();

afterAll(stage.close);

/** A time in whole seconds, as the header has it. */
const AWS_MS = Math.floor(NOW_MS / 1_000) * 1_000;

test.each([
  ['is used', 4_999, 0, ''],
  ['is used', -4_999, 0, ''],
  ['causes a warning', 5_000, 0, "This machine's clock is 5 s ahead of AWS: correct it.\n"],
  ['causes a warning', -59_999, 0, "This machine's clock is 60 s behind AWS: correct it.\n"],
  [
    'ends a command before it changes anything',
    60_000,
    1,
    "This machine's clock is 60 s ahead of AWS: correct it. Nothing was changed.\n",
  ],
  [
    'ends a command before it changes anything',
    -3_600_000,
    1,
    "This machine's clock is 3600 s behind AWS: correct it. Nothing was changed.\n",
  ],
])('a clock %s that is wrong by %i ms', async (_what, aheadMs, exitCode, said) => {
  stage.cloudFormation.setDate(AWS_MS);
  const before = (await stage.listKeys()).length;
  const issue = ['keys', 'issue', '--store', STORE_ID];
  const ended = await stage.run(issue, { now: () => AWS_MS + aheadMs });
  expect(ended.exitCode).toBe(exitCode);
  expect(ended.stderr).toContain(said);
  expect(ended.stderr.includes('clock')).toBe(said !== '');
  expect(await stage.listKeys()).toHaveLength(exitCode === 0 ? before + 1 : before);
});
