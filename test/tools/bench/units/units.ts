import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf, sectionsOf } from '../../../frame/markdown.ts';
import { startBenchDatabase } from '../support/database.ts';
import { functionEnvironment } from '../support/environment.ts';
import { atMost, type Report, type Verdict } from '../support/report.ts';
import { startWorker } from '../support/worker.ts';
import type { Consumption } from './worker.ts';

/** Places of the cost page that state units: the section, the beginning of the row, and the cell. */
type Place = readonly [section: string, row: string, cell: number];

const EVENTS = 'Payments, events and webhooks';
const WRITES = 'DynamoDB, write units';
const READS = 'DynamoDB, read units';

/** The units that the cost page states for an operation. */
const STATED: Readonly<Record<string, Partial<Record<'writes' | 'reads', Place | number>>>> = {
  creation: { writes: ['Cost', WRITES, 2], reads: ['Cost', READS, 2] },
  retrieval: { writes: ['Cost', WRITES, 3], reads: ['Cost', READS, 3] },
  'payment that succeeds': {
    writes: [EVENTS, `${WRITES}: cart, claim and event`, 1],
    reads: [EVENTS, `${READS}: cart, last event`, 1],
  },
  // The page states it in a sentence, not in a table.
  'abandonment, of 49': { writes: 5 },
  'fan-out of an event': { reads: [EVENTS, `${READS}: endpoints, store's name`, 1] },
  delivery: {
    writes: [EVENTS, `${WRITES}: lease, its release, the record`, 1],
    reads: [EVENTS, 'DynamoDB, read unit: the event', 1],
  },
};

const statedUnits = ([section, row, cell]: Place): number => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/cost.md'), 'utf8');
  const cells = rowsOf(sectionsOf(text).get(section)).find(([part]) => part?.startsWith(row));
  return Number.parseFloat(cells?.[cell] ?? '');
};

const verdictsOf = (name: string, consumed: Consumption | undefined): Verdict[] => {
  if (!consumed) throw new Error(`No measurement of ${name}`);
  return Object.entries(STATED[name]!).map(([kind, place]) => {
    const stated = typeof place === 'number' ? place : statedUnits(place);
    const units = consumed[kind as 'writes' | 'reads'];
    return atMost(
      `${name}: ${kind.slice(0, -1)} units, at most the ${stated} of docs/cost.md`,
      units,
      stated,
      String(units),
    );
  });
};

/** Measures the calls and units of each operation, and compares them with the cost page. */
export const benchUnits = async (): Promise<Report> => {
  const database = await startBenchDatabase();
  const { endpoint } = database;
  const worker = await startWorker(join(import.meta.dirname, 'worker.ts'), [], functionEnvironment(endpoint));
  const measured = await worker.ask<Record<string, Consumption>>({ endpoint });
  await worker.stop();
  await database.close();
  return {
    title: 'Units: calls of DynamoDB, and the units that it reports for them',
    method: 'Each operation once, by a process that knows the key and the secrets, on items below 1 KB.',
    columns: ['operation', 'calls', 'write units', 'read units'],
    rows: Object.entries(measured).map(([name, { calls, writes, reads }]) => [
      name,
      ...[calls, writes, reads].map((value) => value.toFixed(2)),
    ]),
    verdicts: Object.keys(STATED).flatMap((name) => verdictsOf(name, measured[name])),
  };
};
