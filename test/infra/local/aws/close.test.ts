import { randomUUID } from 'node:crypto';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createEventPaths, TIMES_MS } from '../../../../infra/local/aws/event-paths.ts';
import type { EventHandlers } from '../../../../infra/local/aws/invoke-functions.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { givenDatabase } from '../../../support/database/database.ts';

/** Event paths with a run of timers in progress. The run ends when the test calls `end`. */
const givenRun = async (closeMax: number) => {
  const database = await givenDatabase();
  const localStateTable = randomUUID();
  await prepareTable(database.documents, localStateTable, LOCAL_STATE_TABLE);
  const options = { ...database, localStateTable, print: () => undefined, now: Date.now };
  const eventPaths = createEventPaths({ ...options, timesMs: { ...TIMES_MS, closeMax } });
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const runTimers = async (): Promise<void> => {
    begun.resolve();
    await ended.promise;
  };
  await eventPaths.start({ 'run-timers': runTimers } as unknown as EventHandlers);
  await begun.promise;
  const callDatabase = () => database.documents.send(new ListTablesCommand());
  return { close: () => eventPaths.close(), end: ended.resolve, callDatabase };
};

it('a stage that closes waits for work that soon ends', async () => {
  const { close, end, callDatabase } = await givenRun(300_000);
  let isClosed = false;
  const closed = close().then(() => (isClosed = true));
  for (let call = 0; call < 10; call += 1) await callDatabase();
  expect(isClosed).toBe(false);
  end();
  await closed;
});

it('a stage that closes does not wait for work that hangs', async () => {
  const { close, end } = await givenRun(1);
  await expect(close()).resolves.toBeUndefined();
  end();
});
