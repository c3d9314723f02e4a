import { expect, it, vi } from 'vitest';
import { ENV_NAMES } from '../../../lib/core/env-names.ts';
import { type TableKind, TABLE_KINDS } from '../../../infra/tables.ts';
import { givenDatabase } from '../../support/database.ts';
import { logged } from '../../support/log-lines.ts';

const nameOf = (kind: TableKind): string => ENV_NAMES[`${kind}Table`];

/** Loads the function, and runs it with this time left. Returns the times that it gave its work. */
const runWith = async (remainingMs: number): Promise<readonly (number | undefined)[]> => {
  const { tableNames, endpoint } = await givenDatabase();
  for (const kind of TABLE_KINDS) vi.stubEnv(nameOf(kind), tableNames[kind]);
  vi.stubEnv(ENV_NAMES.deliveryQueueUrl, `${endpoint}/queue`);
  vi.stubEnv(ENV_NAMES.personalDataDays, '730');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  vi.stubEnv('AWS_REGION', 'local');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  // Another test file may have loaded it with other tables.
  vi.resetModules();
  const { handler } = await import('../../../functions/run-due/handler.ts');
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  await logged(() => handler({}, { getRemainingTimeInMillis: () => remainingMs }));
  const times = timeout.mock.calls.map(([ms]) => ms);
  timeout.mockRestore();
  return times;
};

it('the run of every minute stops 8 s before its time limit, so that calls in flight can end', async () => {
  expect(await runWith(55_000)).toStrictEqual([47_000]);
});

it('a run with less time left stops at once', async () => {
  expect(await runWith(5_000)).toStrictEqual([0]);
});
