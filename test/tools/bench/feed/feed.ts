import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local/local-database.ts';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { createDocumentClient } from '../../../../lib/aws.ts';
import { formatCursor } from '../../../../lib/events/cursor.ts';
import { EVENT_KEPT_MS } from '../../../../lib/events/event-item.ts';
import { createEventStore } from '../../../../lib/events/event-store.ts';
import { readFeed } from '../../../../lib/events/feed.ts';
import { FEED_LIMIT_MAX } from '../../../../lib/events/feed-request.ts';
import { type ConsumedUnits, recordUnits } from '../../../support/consumed-units.ts';
import type { Load, LoadResult } from '../http/load.ts';
import { type Stage, startLocalStage } from '../http/stage.ts';
import { type BenchDatabase, startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import { AMPLE_LIMITS, keyItem } from '../support/items.ts';
import { atMost, type Effort, goal, measureInTurn, median, type Report } from '../support/report.ts';
import { startWorker, type Worker } from '../support/worker.ts';
import { LOG, seedLog, type SeededLog } from './seed.ts';

const EVENTS = [1_000, 1_000_000];
const EVENTS_QUICK = [1_000, 10_000];
const ROUNDS = 5;
const REQUESTS = 100;
const P50_MAX_MS = 30;

/** A local stage on a database with a log of this length. */
interface Tier extends SeededLog {
  readonly secret: string;
  readonly stage: Stage;
  readonly database: BenchDatabase;
}

const startTier = async (folder: string, events: number): Promise<Tier> => {
  const file = join(folder, `${events}.sqlite`);
  const log = await seedLog(file, events);
  const database = await startBenchDatabase(file);
  const stage = await startLocalStage(database, join(folder, `${events}.log`));
  // Stored after the start: a stage sends the events of all stores that have a key when it starts, here a million.
  const secret = generateApiKey('test');
  const Item = { ...keyItem(secret, AMPLE_LIMITS, Date.now()), storeId: LOG.storeId };
  await database.documents.send(new PutCommand({ TableName: LOCAL_TABLE_NAMES.apiKeys, Item }));
  return { ...log, secret, stage, database };
};

const below = (count: number): number => Math.floor(Math.random() * count);

const oldestKept = ({ firstRecordedAtMs, intervalMs }: SeededLog): number =>
  Math.ceil((Date.now() - EVENT_KEPT_MS - firstRecordedAtMs) / intervalMs) + 1;

/** The places of a log from which a reader continues: the number of events before it, or none for a request without a cursor. */
const PLACES: Readonly<Record<string, (log: SeededLog) => number | undefined>> = {
  'without a cursor': () => undefined,
  start: (log) => oldestKept(log),
  middle: (log) => oldestKept(log) + below(log.events - oldestKept(log) - 2 * FEED_LIMIT_MAX),
  end: ({ events }) => events - FEED_LIMIT_MAX,
  'nothing new': ({ events }) => events,
};

const cursorAt = ({ firstSequence }: SeededLog, before: number | undefined): string | undefined =>
  before === undefined
    ? undefined
    : formatCursor(LOG, { sequence: firstSequence + before - 1, seenUntilMs: Date.now() });

/** Reads pages over HTTP, one after the other. */
const readPages = (worker: Worker, tier: Tier, place: string, count: number): Promise<LoadResult> => {
  const { stage, secret } = tier;
  const requests = Array.from({ length: count }, () => {
    const after = cursorAt(tier, PLACES[place]!(tier));
    const query = { limit: String(FEED_LIMIT_MAX), ...(after !== undefined && { after }) };
    return ['listEvents', { headers: { Authorization: `Bearer ${secret}` }, query }] as const;
  });
  const load: Load = { url: stage.baseUrl, connections: 1, extent: { amount: count }, requests };
  return worker.ask<LoadResult>(load);
};

interface Page {
  readonly events: number;
  readonly calls: number;
  readonly readUnits: number;
}

/** Reads a page in this process. It counts the calls of the event log alone, without the update of the key. */
const countPage = async (tier: Tier, place: string): Promise<Page> => {
  const documents = createDocumentClient(localClientConfig(tier.database.endpoint));
  const calls: ConsumedUnits[] = [];
  recordUnits(documents, (call) => calls.push(call));
  const store = createEventStore(documents, LOCAL_TABLE_NAMES.events);
  const after = cursorAt(tier, PLACES[place]!(tier));
  const read = await readFeed({ log: LOG, after, limit: FEED_LIMIT_MAX, nowMs: Date.now() }, store);
  documents.destroy();
  if (read.outcome === 'rejected') throw new Error(`The feed rejected the cursor: ${read.reason}`);
  const readUnits = calls.reduce((sum, { units }) => sum + units, 0);
  return { events: read.page.events.length, calls: calls.length, readUnits };
};

interface Cell {
  readonly place: string;
  readonly tier: Tier;
  readonly page: Page;
  readonly samples: readonly LoadResult[];
}

const measurePlaces = async (tiers: readonly Tier[], { isQuick }: Effort): Promise<Cell[]> => {
  const worker = await startWorker(join(import.meta.dirname, '../http/load.ts'));
  const cells: Cell[] = [];
  for (const place of Object.keys(PLACES)) {
    const samples = await measureInTurn(tiers, isQuick ? 1 : ROUNDS, (tier) =>
      readPages(worker, tier, place, isQuick ? 10 : REQUESTS),
    );
    for (const tier of tiers) {
      cells.push({ place, tier, page: await countPage(tier, place), samples: samples.get(tier)! });
    }
  }
  await worker.stop();
  return cells;
};

const medianOf = ({ samples }: Cell, figure: keyof LoadResult): number =>
  median(samples.map((sample) => sample[figure]));

const rowOf = (cell: Cell): readonly string[] => [
  cell.place,
  String(cell.tier.events),
  ...(['p50Ms', 'p99Ms'] as const).map((figure) => medianOf(cell, figure).toFixed(1)),
  ...[cell.page.events, cell.page.calls, cell.page.readUnits].map(String),
];

/** Reads pages of the feed over HTTP, from logs of different lengths. */
export const benchFeed = async (effort: Effort): Promise<Report> => {
  const folder = makeTemporaryFolder();
  const tiers: Tier[] = [];
  for (const events of effort.isQuick ? EVENTS_QUICK : EVENTS) tiers.push(await startTier(folder, events));
  const cells = await measurePlaces(tiers, effort);
  for (const { stage, database } of tiers) {
    await stage.stop();
    await database.close();
  }
  const longest = tiers.at(-1);
  return {
    title: `Feed: pages of ${FEED_LIMIT_MAX} events over HTTP, on the local stage with the embedded DynamoDB in a file`,
    method:
      'Medians of alternating rounds, one request at a time. The oldest events are 31 days old, and a reader without a cursor\n' +
      'begins with them. Calls and read units are those of the log. Each page also updates the key by one call.',
    columns: ['from', 'events stored', 'p50 ms', 'p99 ms', 'events', 'calls', 'read units'],
    rows: cells.map(rowOf),
    verdicts: cells
      .filter(({ tier }) => tier === longest)
      .map((cell) =>
        atMost(
          `${cell.place}: p50 of a page with ${cell.tier.events} events stored, at most ${P50_MAX_MS} ms`,
          medianOf(cell, 'p50Ms'),
          P50_MAX_MS,
          `${medianOf(cell, 'p50Ms').toFixed(1)} ms`,
        ),
      )
      .map(goal),
  };
};
