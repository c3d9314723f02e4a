import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DueEntry } from '../../../lib/due/due-entry.ts';
import type { StoredDueEntry } from '../../../lib/due/due-item.ts';
import { createDueStore } from '../../../lib/due/due-store.ts';
import { bucketOf } from '../../../lib/due/minutes.ts';
import { clockOf, NOW_MS } from '../../support/clock.ts';
import { givenDue, MINUTE_MS, probe, type TestDue, THIS_MINUTE_MS } from './due.ts';

let test: TestDue;
beforeAll(async () => {
  test = await givenDue();
});

/** A minute of its own for each test, in the future. */
let minutes = 100;
const ownMinuteMs = (): number => THIS_MINUTE_MS + MINUTE_MS * (minutes += 10);

const read = async (minuteMs: number): Promise<StoredDueEntry[]> => {
  const found: StoredDueEntry[] = [];
  for await (const page of test.due.read(minuteMs)) found.push(...page);
  return found;
};

const readEntries = async (minuteMs: number) => (await read(minuteMs)).map(({ entry }) => entry);

const ENTRIES: readonly DueEntry[] = [
  {
    kind: 'expiry',
    mode: 'live',
    cartIds: [randomUUID(), randomUUID(), '00000000-0000-4000-8000-000000000000'],
  },
  {
    kind: 'attempt',
    endpoint: { storeId: 's', mode: 'test', endpointId: 'we_1' },
    sequence: 7,
    attempt: 4,
    atMs: 1,
  },
  probe('we_1'),
  { kind: 'drain', endpoint: { storeId: 's#1', mode: 'live', endpointId: 'we_2' } },
];

describe('an entry', () => {
  it.each(ENTRIES)('of kind $kind is read in its minute as it was stored, and in no other', async (entry) => {
    const minuteMs = ownMinuteMs();
    const dueAtMs = minuteMs + 59_999;
    await test.due.put([{ id: 'a', dueAtMs, entry }]);
    expect(await read(minuteMs)).toMatchObject([{ id: 'a', dueAtMs, failures: 0, entry }]);
    expect(await read(minuteMs - MINUTE_MS)).toStrictEqual([]);
    expect(await read(minuteMs + MINUTE_MS)).toStrictEqual([]);
  });

  it('of 20,000 carts fits into an item, and further ones into further pages', async () => {
    const minuteMs = ownMinuteMs();
    const cartIds = Array.from({ length: 20_000 }, () => '00000000-0000-4000-8000-000000000000');
    const entry = { kind: 'expiry', mode: 'test', cartIds } as const;
    // A page may end after the item that passes 1 MB.
    const ids = ['a', 'b', 'c', 'd', 'e'];
    await test.due.put(ids.map((id) => ({ id, dueAtMs: minuteMs, entry })));
    const pages: (readonly StoredDueEntry[])[] = [];
    for await (const page of test.due.read(minuteMs)) pages.push(page);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toHaveLength(5);
    expect(pages.at(-1)?.at(-1)?.entry).toStrictEqual(entry);
  });

  it('whose time is past is in the present minute', async () => {
    const id = randomUUID();
    await test.due.put([{ id, dueAtMs: NOW_MS - 86_400_000, entry: probe('we_1') }]);
    expect(await read(THIS_MINUTE_MS)).toContainEqual(
      expect.objectContaining({ id, dueAtMs: NOW_MS - 86_400_000 }),
    );
  });

  it('whose write took so long that a run may miss it is written again, into the minute of its end', async () => {
    const id = randomUUID();
    const resumedAtMs = NOW_MS + 600_000;
    // The process was frozen during the call.
    const now = clockOf(NOW_MS, resumedAtMs);
    const due = createDueStore(test.documents, test.tableName, now);
    await due.put([{ id, dueAtMs: NOW_MS, entry: probe('we_1') }]);
    expect(await read(THIS_MINUTE_MS + 600_000)).toContainEqual(expect.objectContaining({ id }));
  });

  it.each([
    ['an unknown kind', { kind: 'later' }],
    ['carts of no mode', { kind: 'expiry', cartIds: Buffer.alloc(16) }],
    ['truncated carts', { kind: 'expiry', mode: 'live', cartIds: Buffer.alloc(17) }],
    ['no endpoint', { kind: 'probe' }],
    [
      'no attempt',
      { kind: 'attempt', endpoint: { storeId: 's', mode: 'live', endpointId: 'e' }, sequence: 1 },
    ],
  ])('that is malformed hides none beside it: %s', async (_, fields) => {
    const minuteMs = ownMinuteMs();
    await test.due.put([{ id: 'z', dueAtMs: minuteMs, entry: probe('we_1') }]);
    const Item = { bucket: bucketOf(minuteMs), id: 'a', dueAtMs: minuteMs, ...fields };
    await test.documents.send(new PutCommand({ TableName: test.tableName, Item }));
    expect(await readEntries(minuteMs)).toStrictEqual([undefined, probe('we_1')]);
  });
});

describe('a handled entry', () => {
  const givenEntry = async (minuteMs: number): Promise<StoredDueEntry> => {
    await test.due.put([{ id: 'a', dueAtMs: minuteMs, entry: probe('we_1') }]);
    return (await read(minuteMs))[0] as StoredDueEntry;
  };

  it('is deleted, and once more is harmless', async () => {
    const minuteMs = ownMinuteMs();
    const entry = await givenEntry(minuteMs);
    await test.due.done(entry);
    await test.due.done(entry);
    expect(await read(minuteMs)).toStrictEqual([]);
  });

  it('does not delete a later one that replaced it', async () => {
    const minuteMs = ownMinuteMs();
    const entry = await givenEntry(minuteMs);
    await test.due.put([{ id: 'a', dueAtMs: minuteMs + 30_000, entry: probe('we_1') }]);
    await test.due.done(entry);
    expect(await read(minuteMs)).toMatchObject([{ id: 'a', dueAtMs: minuteMs + 30_000 }]);
  });

  it.each([30_000, MINUTE_MS])(
    'that failed moves to a later time, with its failures: %i ms',
    async (laterMs) => {
      const minuteMs = ownMinuteMs();
      const dueAtMs = minuteMs + laterMs;
      await test.due.postpone(await givenEntry(minuteMs), dueAtMs);
      const found = [...(await read(minuteMs)), ...(await read(minuteMs + MINUTE_MS))];
      expect(found).toMatchObject([{ id: 'a', dueAtMs, failures: 1, entry: probe('we_1') }]);
    },
  );
});

it('the position only moves forward', async () => {
  const { due } = await givenDue();
  expect(await due.readPosition()).toBeUndefined();
  await due.movePosition(THIS_MINUTE_MS);
  await due.movePosition(THIS_MINUTE_MS - MINUTE_MS);
  expect(await due.readPosition()).toBe(THIS_MINUTE_MS);
});
