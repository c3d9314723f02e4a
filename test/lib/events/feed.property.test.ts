import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cartEvent } from '../../../lib/carts/cart-event.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { eventsAmong } from '../../../lib/events/event-item.ts';
import { createEventLog } from '../../../lib/events/event-log.ts';
import { createEventRepository } from '../../../lib/events/event-repository.ts';
import { readFeed } from '../../../lib/events/feed.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { waitingCart } from '../../support/domain/payments.ts';
import { givenPauses } from '../../support/pauses.ts';

const { documents, tableNames } = await givenDatabase();
const repository = createEventRepository(documents, tableNames.events);

/** It is midnight: the first event of a log is the hardest. The writers' clocks differ by at most 4 s, as right ones do. */
const MIDNIGHT_MS = Date.UTC(2026, 0, 16);

/** Later than all clocks, by more than a transaction takes: a hole would be permanent. */
const READ_AT_MS = MIDNIGHT_MS + 600_000;

/** A process that writes. */
interface Writer {
  readonly skewMs: number;
  readonly events: number;
  /** It is killed at this call: before the call reaches the database, or before its response arrives. */
  readonly death?: { readonly call: number; readonly isSent: boolean };
}

const anyWriter: fc.Arbitrary<Writer> = fc.record(
  {
    skewMs: fc.integer({ min: -2_000, max: 2_000 }),
    events: fc.integer({ min: 1, max: 3 }),
    death: fc.record({ call: fc.integer({ min: 1, max: 4 }), isSent: fc.boolean() }),
  },
  { requiredKeys: ['skewMs', 'events'] },
);

/** Holds the calls of all writers, and lets them through one at a time. */
const givenGate = () => {
  const held: (() => Promise<void>)[] = [];

  /** A client of one writer. */
  const clientOf = ({ death }: Writer): DocumentClient => {
    let calls = 0;
    const send = (command: never): Promise<unknown> => {
      calls += 1;
      const isLast = calls === death?.call;
      const response = Promise.withResolvers<unknown>();
      held.push(async () => {
        if (isLast && !death?.isSent) return;
        const sent = documents.send(command);
        await sent.catch(() => undefined);
        if (!isLast) response.resolve(sent);
      });
      return response.promise;
    };
    return { send };
  };

  return {
    clientOf,
    /** Lets one held call through. Returns `false` if all writers are done or dead. */
    async step(choice: number): Promise<boolean> {
      // Each writer continues to its next call.
      await setImmediate();
      const [release] = held.splice(choice % Math.max(1, held.length), 1);
      await release?.();
      return release !== undefined;
    },
  };
};

/** A reader that follows the cursors. It records the ids that it sees. */
const givenReader = (log: StoreMode, limit: number) => {
  const seen: string[] = [];
  let after: string | undefined;
  return {
    seen,
    async read(): Promise<boolean> {
      const read = await readFeed({ storeMode: log, after, limit, nowMs: READ_AT_MS }, repository);
      if (read.outcome !== 'read') throw new Error(`The cursor was rejected: ${read.reason}`);
      seen.push(...read.page.events.map(({ id }) => id));
      after = read.page.cursor;
      return read.page.hasMore;
    },
  };
};

const scenario = fc.record({
  writers: fc.array(anyWriter, { minLength: 2, maxLength: 5 }),
  order: fc.array(fc.nat({ max: 20 }), { maxLength: 40 }),
  limit: fc.integer({ min: 1, max: 4 }),
});

it('a reader who follows the cursor misses no event and sees none twice, while writers are late and die', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ writers, order, limit }) => {
      const log: StoreMode = { storeId: randomUUID(), mode: 'live' };
      const gate = givenGate();
      const stored: string[] = [];
      for (const writer of writers) {
        const now = () => MIDNIGHT_MS + writer.skewMs;
        const { pauses } = givenPauses();
        const events = createEventLog(gate.clientOf(writer), tableNames.events, { now, pauses });
        const never = new AbortController().signal;
        const append = async (): Promise<void> => {
          const cart = waitingCart(log);
          const event = cartEvent({ type: 'cart.completed', cart, cause: 'payment' });
          const change = { event, writes: [] };
          const appended = await events.append(log, change, never);
          if (appended.outcome === 'appended') stored.push(appended.event.id);
        };
        // The first two share a transaction.
        const first = Promise.all(Array.from({ length: Math.min(2, writer.events) }, append));
        if (writer.events > 2) void first.then(append);
      }

      const reader = givenReader(log, limit);
      for (let step = 0; await gate.step(order[step] ?? 0); step += 1) await reader.read();
      while (await reader.read());

      const events = eventsAmong((await repository.after(log, 0, 1_000)).entries);
      const ids = events.map(({ id }) => id);
      expect(reader.seen).toStrictEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toStrictEqual(expect.arrayContaining(stored));
      const times = events.map(({ recordedAtMs }) => recordedAtMs);
      expect(times).toStrictEqual([...new Set(times)].toSorted((a, b) => a - b));
    }),
    // Shrinking would take longer than a test may.
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 10), endOnFailure: true },
  );
});
