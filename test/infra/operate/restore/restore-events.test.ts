import { randomUUID } from 'node:crypto';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { cartEvent } from '../../../../lib/carts/cart-event.ts';
import { createEventLog } from '../../../../lib/events/event-log.ts';
import { createEventRepository } from '../../../../lib/events/event-repository.ts';
import { readFeed } from '../../../../lib/events/feed.ts';
import { logKey } from '../../../../lib/events/logged-event.ts';
import type { StoreMode } from '../../../../lib/stores/mode.ts';
import { waitingCart } from '../../../support/domain/payments.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { givenRestores } from '../../../support/operators/restore.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const stage = await givenOperatedService();
const { documents, clock } = stage;
const tables = givenRestores(stage);

afterAll(stage.close);

/** Appends events to a log of a table. Returns their ids. */
const append = async (tableName: string, log: StoreMode, count: number): Promise<readonly string[]> => {
  const events = createEventLog(documents, tableName, { now: clock.now });
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const event = cartEvent({ type: 'cart.completed', cart: waitingCart(log), cause: 'payment' });
    await events.append(log, { event, writes: [] });
    ids.push(event.id);
  }
  return ids;
};

/** Reads a page of the feed of a log. */
const read = async (tableName: string, log: StoreMode, after?: string, limit = 100) => {
  const repository = createEventRepository(documents, tableName);
  const result = await readFeed({ storeMode: log, after, limit, nowMs: clock.now() }, repository);
  if (result.outcome === 'rejected') return { rejected: result.reason };
  const { events, cursor, hasMore } = result.page;
  return { ids: events.map(({ id }) => id), cursor, hasMore };
};

/** Runs the command on a table. Returns its JSON. */
const resume = async (table: string): Promise<unknown> => {
  const { exitCode, stdout } = await stage.run(['restore', 'events', '--table', table, '--yes', '--json']);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
};

/** A copy of a log, as DynamoDB restores it: without TTL and stream. */
const copyOf = async (log: StoreMode): Promise<string> => {
  const copy = await tables.givenRestored('events');
  const query = new QueryCommand({
    TableName: stage.tableNames.events,
    KeyConditionExpression: '#log = :log',
    ExpressionAttributeNames: { '#log': 'log' },
    ExpressionAttributeValues: { ':log': logKey(log) },
  });
  for (const Item of (await documents.send(query)).Items ?? []) {
    await documents.send(new PutCommand({ TableName: copy, Item }));
  }
  return copy;
};

test('a restored copy of the event log serves: no reader misses a lost event without a 422', async () => {
  const log: StoreMode = { storeId: randomUUID(), mode: 'live' };
  const { events } = stage.tableNames;
  const before = await append(events, log, 3);
  const behind = await read(events, log, undefined, 1);
  const copy = await copyOf(log);
  await append(events, log, 2);
  const upToDate = await read(events, log);
  expect(upToDate.ids).toHaveLength(5);

  clock.advance(3_600);
  expect(await resume(copy)).toStrictEqual({ table: copy, logs: 1, startAfter: clock.now() });
  const after = await append(copy, log, 3);
  // Until then, a lower number may still become visible.
  clock.advance(120);

  expect(await read(copy, log, upToDate.cursor)).toStrictEqual({ rejected: 'expiredCursor' });
  const rest = await read(copy, log, behind.cursor);
  expect(rest.ids).toStrictEqual(before.slice(1));
  expect(await read(copy, log, rest.cursor)).toStrictEqual({ rejected: 'expiredCursor' });
  // Without a cursor, however short the pages are.
  const ids: string[] = [];
  let page = await read(copy, log, undefined, 1);
  for (; page.hasMore; page = await read(copy, log, page.cursor, 1)) ids.push(...(page.ids ?? []));
  expect([...ids, ...(page.ids ?? [])]).toStrictEqual(after);
});

test('a log whose numbers are ahead of the time continues above them', async () => {
  const log: StoreMode = { storeId: randomUUID(), mode: 'test' };
  const ahead = createEventLog(documents, stage.tableNames.events, {
    now: () => clock.now() + 365 * 86_400_000,
  });
  const event = cartEvent({ type: 'cart.completed', cart: waitingCart(log), cause: 'payment' });
  const appended = await ahead.append(log, { event, writes: [] });
  const copy = await copyOf(log);
  await resume(copy);
  await append(copy, log, 1);
  const last = await createEventRepository(documents, copy).last(log);
  const { sequence } = (appended as { readonly event: { readonly sequence: number } }).event;
  expect(last?.sequence).toBe(sequence + 35 * 86_400_000 + 1);
});

test('a table that serves already is refused', async () => {
  const ended = await stage.run(['restore', 'events', '--table', stage.tableNames.events, '--yes']);
  expectFailure(
    ended,
    1,
    /^The table \S+ is in use by the stage \S+: restore to a new table, and pass its name\./,
  );
});
