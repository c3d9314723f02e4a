import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { TrueClock } from '../../../lib/core/true-clock.ts';
import { givenOperatedService, type KeyLine } from '../../support/operate.ts';
import { STORE_ID } from '../../support/service.ts';

const HOUR_MS = 3_600_000;

const stage = await givenOperatedService();

afterAll(stage.close);

/** Sets the TAT of a key's bucket, and its last use. */
const givenTat = async (keyId: string, tatMicros: number): Promise<void> => {
  await stage.documents.send(
    new UpdateCommand({
      TableName: stage.tableNames.apiKeys,
      Key: { keyId },
      UpdateExpression: 'SET tatMicros = :tat, lastUsedAtMs = :used',
      ExpressionAttributeValues: { ':tat': tatMicros, ':used': tatMicros / 1_000 },
    }),
  );
};

test.each([24 * HOUR_MS, -HOUR_MS])(
  "a machine's clock that is wrong by %i ms is not used",
  async (skewMs) => {
    const startedAtMs = Date.now();
    // The header of the emulator has the machine's time, in whole seconds.
    const expectNow = (timeMs: number): void => {
      expect(timeMs).toBeGreaterThanOrEqual(startedAtMs - 1_000);
      expect(timeMs).toBeLessThanOrEqual(Date.now() + 1_000);
    };
    const run = async <Result = KeyLine>(...args: readonly string[]): Promise<Result> => {
      // The operator's time stands still, so the test does not depend on the speed of the machine.
      const clock = new TrueClock({ machineNow: () => startedAtMs + skewMs, monotonicNow: () => 0 });
      const { stdout } = await stage.run(['keys', ...args, '--json'], { clock });
      return JSON.parse(stdout) as Result;
    };
    const tatOf = async (keyId: string): Promise<number> =>
      (await stage.apiKeys.find(keyId))?.key?.tatMicros ?? NaN;

    // The corrected time moves with the emulator's seconds. No token of this limit returns within 10 minutes.
    const limit = ['--limit', '6', '--window', '3600'];
    const flags = ['--store', STORE_ID, '--expires-in', '48h', ...limit];
    const { keyId, createdAt, expiresAt } = await run('issue', ...flags);
    expectNow(Date.parse(String(createdAt)));
    expectNow(Date.parse(String(expiresAt)) - 48 * HOUR_MS);

    // Empty, and moved by a clock that was a year ahead.
    for (const aheadMs of [HOUR_MS, 365 * 24 * HOUR_MS]) {
      await givenTat(keyId, (startedAtMs + aheadMs) * 1_000);
      const { keys } = await run<{ keys: KeyLine[] }>('list');
      expect(keys.find((key) => key.keyId === keyId)).toMatchObject({ state: 'active', tokensLeft: 0 });
      await run('set-limit', keyId, '--limit', '5', '--window', '3600');
      expectNow((await tatOf(keyId)) / 1_000 - HOUR_MS);
    }

    await run('refill', keyId);
    expect(await tatOf(keyId)).toBe(0);

    const { oldKeyEndsAt } = await run('rotate', keyId, '--overlap', '1h');
    expectNow(Date.parse(String(oldKeyEndsAt)) - HOUR_MS);
  },
);
