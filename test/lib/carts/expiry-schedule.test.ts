import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DynamoDBRecord } from 'aws-lambda';
import { toItem } from '../../../lib/carts/cart-item.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { type ExpiringCart, scheduleExpiries } from '../../../lib/carts/expiry-schedule.ts';
import { scheduleRecords } from '../../../lib/carts/schedule-records.ts';
import type { DueEntry, DueSchedule } from '../../../lib/due/due-entry.ts';
import { OutageError } from '../../../lib/core/errors.ts';
import type { SetAsideRecord } from '../../../lib/events/set-aside.ts';
import { logged } from '../../support/log-lines.ts';
import { EXPIRES_AT_MS, waitingCart } from '../../support/payments.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDue, MINUTE_MS, type TestDue } from '../due/due.ts';
import { recordOf } from '../events/events.ts';

type Put = Parameters<DueSchedule['put']>[0][number];
type Expiry = Extract<DueEntry, { kind: 'expiry' }>;

/** A schedule that keeps its entries in memory. */
const givenSchedule = () => {
  const puts: Put[] = [];
  const due: DueSchedule = {
    put: async (entries) => {
      puts.push(...entries);
      return Promise.resolve();
    },
  };
  return { due, puts, expiries: () => puts.map(({ entry }) => entry as Expiry) };
};

const expiring = (expiresAtMs: number, mode: Cart['mode'] = 'live'): ExpiringCart => ({
  id: randomUUID(),
  mode,
  expiresAtMs,
});

/** The start of a minute. */
const T = Math.floor(EXPIRES_AT_MS / MINUTE_MS) * MINUTE_MS;

describe('the expiries of a batch of carts', () => {
  it('are one entry for each half minute and mode, due when the last of its carts has expired', async () => {
    const { due, puts } = givenSchedule();
    const [a, b] = [expiring(T), expiring(T + 29_999)];
    const [c, d] = [expiring(T + 30_000), expiring(T + 100, 'test')];
    await scheduleExpiries([a, c, d, b], due);
    expect(puts.map(({ dueAtMs, entry }) => ({ dueAtMs, entry }))).toStrictEqual([
      { dueAtMs: T + 31_999, entry: { kind: 'expiry', mode: 'live', cartIds: [a.id, b.id] } },
      { dueAtMs: T + 32_000, entry: { kind: 'expiry', mode: 'live', cartIds: [c.id] } },
      { dueAtMs: T + 2_100, entry: { kind: 'expiry', mode: 'test', cartIds: [d.id] } },
    ]);
  });

  it('of 10,000 carts in one minute are entries of 1,000 carts, with each cart once', async () => {
    const { due, expiries } = givenSchedule();
    const carts = Array.from({ length: 10_000 }, () => expiring(T));
    await scheduleExpiries(carts, due);
    expect(expiries().map(({ cartIds }) => cartIds.length)).toStrictEqual(Array(10).fill(1_000));
    expect(new Set(expiries().flatMap(({ cartIds }) => cartIds)).size).toBe(10_000);
  });

  it('have the same ids in each repetition, and others for other carts', async () => {
    const { due, puts } = givenSchedule();
    const carts = [expiring(T), expiring(T)];
    await scheduleExpiries(carts, due);
    await scheduleExpiries(carts, due);
    await scheduleExpiries([expiring(T), expiring(T)], due);
    const [first, second, other] = puts.map(({ id }) => id);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe('the stream of a table of carts', () => {
  let test: TestDue;
  beforeAll(async () => {
    test = await givenDue();
  });

  /** The function, on a stream whose DynamoDB may fail. */
  const givenFunction = (due: DueSchedule = test.due) => {
    const aside: SetAsideRecord[] = [];
    let nowMs = NOW_MS;
    const setAside = {
      put: async (record: SetAsideRecord) => {
        aside.push(record);
        return Promise.resolve();
      },
    };
    const handler = scheduleRecords({ due, setAside, now: () => nowMs });
    return {
      aside,
      later: (ms: number) => {
        nowMs += ms;
      },
      send: (Records: DynamoDBRecord[]) => handler({ Records }),
    };
  };

  const cartRecord = (cart: Cart, sequenceNumber = '1'): DynamoDBRecord =>
    recordOf(toItem(cart), sequenceNumber);

  const idsAt = async (minuteMs: number): Promise<string[]> => {
    const ids: string[] = [];
    for await (const page of test.due.read(minuteMs)) {
      ids.push(...page.flatMap(({ entry }) => (entry?.kind === 'expiry' ? entry.cartIds : [])));
    }
    return ids.toSorted();
  };

  it('schedules its new carts, and once more is harmless', async () => {
    const expiresAtMs = T + 5 * MINUTE_MS;
    const carts = Array.from({ length: 20 }, () => waitingCart({ expiresAtMs }));
    const { send } = givenFunction();
    const records = carts.map((cart) => cartRecord(cart));
    for (const batch of [records, records]) {
      expect(await send(batch)).toStrictEqual({ batchItemFailures: [] });
    }
    expect(await idsAt(expiresAtMs)).toStrictEqual(carts.map(({ id }) => id).toSorted());
  });

  it('schedules nothing for payments, deletions and claims', async () => {
    const { due, puts } = givenSchedule();
    const { send, aside } = givenFunction(due);
    const record = cartRecord(waitingCart());
    const claim = recordOf({ id: 'payment#1', cartId: randomUUID() }, '3');
    const records = [{ ...record, eventName: 'MODIFY' }, { ...record, eventName: 'REMOVE' }, claim] as const;
    expect(await send([...records])).toStrictEqual({ batchItemFailures: [] });
    expect([puts, aside]).toStrictEqual([[], []]);
  });

  it.each([
    ['no image', { eventName: 'INSERT', dynamodb: {} } as const],
    ['a malformed id', recordOf({ ...waitingCart(), id: 'x' }, '1')],
    ['no mode', recordOf({ ...waitingCart(), mode: undefined }, '1')],
    ['no expiry', recordOf({ ...waitingCart(), expiresAtMs: undefined }, '1')],
    ['an expiry beyond the latest date', recordOf({ ...waitingCart(), expiresAtMs: 9e15 }, '1')],
  ])('sets a record aside whole that has %s, and schedules those behind it', async (_, record) => {
    const { due, puts } = givenSchedule();
    const { send, aside } = givenFunction(due);
    const lines = await logged(async () => {
      expect(await send([record, cartRecord(waitingCart())])).toStrictEqual({ batchItemFailures: [] });
    });
    expect(aside).toStrictEqual([{ functionName: 'schedule-expiries', reason: 'malformed', record }]);
    expect(puts).toHaveLength(1);
    expect(lines).toContainEqual(expect.objectContaining({ RecordsSetAside: 1 }));
  });

  it('sets aside the one cart that cannot be scheduled, and schedules all others', async () => {
    const { due, expiries } = givenSchedule();
    const carts = Array.from({ length: 9 }, () => waitingCart());
    const poison = carts[4]?.id ?? '';
    const { send, aside } = givenFunction({
      put: async (entries) => {
        if (JSON.stringify(entries).includes(poison)) throw new TypeError('not this one');
        await due.put(entries);
      },
    });
    const records = carts.map((cart) => cartRecord(cart));
    await logged(async () => {
      expect(await send(records)).toStrictEqual({ batchItemFailures: [] });
    });
    expect(aside).toStrictEqual([
      { functionName: 'schedule-expiries', reason: 'rejected', record: records[4] },
    ]);
    const others = carts.map(({ id }) => id).filter((id) => id !== poison);
    expect(expiries().flatMap(({ cartIds }) => cartIds)).toStrictEqual(others);
  });

  it('is retried after an outage, and set aside after one of 20 hours', async () => {
    const down = (): Promise<never> => Promise.reject(new OutageError('down'));
    const { send, aside, later } = givenFunction({ put: down });
    const records = [cartRecord(waitingCart(), '1'), cartRecord(waitingCart(), '2')];
    await logged(async () => {
      expect(await send(records)).toStrictEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
      later(20 * 60 * MINUTE_MS + 1_000);
      expect(await send(records)).toStrictEqual({ batchItemFailures: [] });
    });
    expect(aside.map(({ reason, record }) => [reason, record])).toStrictEqual(
      records.map((record) => ['expiring', record]),
    );
  });

  it('schedules every cart, after a death at any of its writes', async () => {
    // Three entries: three writes.
    const times = [0, 30_000, MINUTE_MS].map((ms) => T + 10 * MINUTE_MS + ms);
    const carts = times.map((expiresAtMs) => waitingCart({ expiresAtMs }));
    for (let survived = 0; survived < times.length; survived += 1) {
      const own = { ...test.due };
      let writes = 0;
      const { send } = givenFunction({
        put: async (entries) => {
          for (const entry of entries) {
            if (writes++ === survived) throw new OutageError('died');
            await own.put([entry]);
          }
        },
      });
      const records = carts.map((cart, index) => cartRecord({ ...cart, id: randomUUID() }, `${index}`));
      const ids = records.map(({ dynamodb }) => dynamodb?.NewImage?.['id']?.S);
      const { batchItemFailures } = await send(records);
      expect(batchItemFailures).toHaveLength(1);
      expect(await send(records)).toStrictEqual({ batchItemFailures: [] });
      const stored = await Promise.all([idsAt(times[0] ?? 0), idsAt(times[2] ?? 0)]);
      expect(stored.flat()).toStrictEqual(expect.arrayContaining(ids));
    }
  });
});
