import { describe, expect, it } from 'vitest';
import { eventsAmong } from '../../../lib/events/event-item.ts';
import { logKey } from '../../../lib/events/logged-event.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { NOW_MS } from '../../support/clock.ts';
import { FIRST, givenLogs } from './logs.ts';

const { repository, put, givenLog, givenEvents, putCounter, deleteEvents, read, readAll, cursorAt, append } =
  await givenLogs();

describe('after the loss of events', () => {
  const LATER = { nowMs: NOW_MS + 120_000 };

  it('a cursor is rejected if the log began again, and a new reader gets its events', async () => {
    const log = givenLog();
    await givenEvents(log, [20]);
    const { cursor } = await read(log);
    // The table was lost: the writer knows no earlier event.
    await deleteEvents(log, FIRST);
    await givenEvents(log, [0, 0], { begin: FIRST + 5_000, oldUntil: 0 });
    await expect(read(log, cursor, LATER)).rejects.toThrow('expiredCursor');
    expect(await read(log)).toMatchObject({ numbers: [FIRST + 5_000, FIRST + 5_001] });
  });

  it('a cursor is rejected if the log was restored, and a new reader begins behind the gap', async () => {
    const log = givenLog();
    await givenEvents(log, [3, 2, 1]);
    const readers = [FIRST, FIRST + 2, FIRST + 7].map((sequence) => cursorAt(log, sequence, 1));
    await putCounter(log, { last: NOW_MS, lastRecordedAtMs: NOW_MS, startAfter: NOW_MS });
    for (let i = 0; i < 3; i += 1) await append(log);
    expect((await read(log, readers[0])).numbers).toStrictEqual([FIRST + 1, FIRST + 2]);
    for (const cursor of readers.slice(1)) {
      await expect(read(log, cursor, LATER)).rejects.toThrow('expiredCursor');
    }
    // However short its pages are.
    expect(await readAll(log, undefined, { limit: 1 })).toStrictEqual([1, 2, 3].map((n) => NOW_MS + n));
  });
});

describe('an entry whose body is not of its type', () => {
  const forged = (log: StoreMode, sequence: number, body: object, text = JSON.stringify(body)) => ({
    log: logKey(log),
    sequence,
    id: 'evt_forged',
    type: 'webhook_endpoint.created',
    recordedAtMs: NOW_MS,
    endpointBody: text,
  });
  const BODY = { id: 'evt_forged', type: 'webhook_endpoint.created', timestamp: '', data: {} };
  const OF_CART = { ...BODY, type: 'cart.completed' };

  it.each([
    ['in an attribute of another family', { type: 'cart.completed' }, OF_CART],
    ['with another type', {}, OF_CART],
    ['with a second type', {}, { ...BODY, Type: 'cart.completed' }],
    ['with another id', {}, { ...BODY, id: 'evt_other' }],
    ['without a timestamp', {}, { ...BODY, timestamp: undefined }],
    ['without data', {}, { ...BODY, data: undefined }],
    ['in two attributes', { paymentBody: '{}' }, BODY],
  ])('%s is left out, and hides none behind it', async (_, changes, body) => {
    const log = givenLog();
    await givenEvents(log, [1]);
    for (const sequence of [FIRST + 1, FIRST + 2]) {
      const Item = { ...forged(log, sequence, body), ...changes };
      await put(Item);
    }
    await givenEvents(log, [0], { begin: FIRST + 3, oldUntil: 0 });
    for (const limit of [1, 100]) {
      expect(await readAll(log, undefined, { limit })).toStrictEqual([FIRST, FIRST + 3]);
    }
    await expect(repository.find(log, FIRST + 1, NOW_MS)).rejects.toThrow('no valid body');
  });

  it('is left out if a second type comes first, which some parsers take', async () => {
    const log = givenLog();
    const text =
      '{"type":"cart.completed","id":"evt_forged","type":"webhook_endpoint.created","timestamp":"","data":{}}';
    const Item = forged(log, FIRST, {}, text);
    await put(Item);
    expect(eventsAmong((await repository.after(log, 0, 10)).entries)).toStrictEqual([]);
  });
});
