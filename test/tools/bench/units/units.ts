import { join } from 'node:path';
import { EVENT_USE, OPERATION_USE, type Use } from '../../../../infra/cost/aws-use.ts';
import { atMost, type Report, type Verdict } from '../../report.ts';
import { startBenchDatabase } from '../support/database.ts';
import { functionEnvironment } from '../support/environment.ts';
import { startWorker } from '../support/worker.ts';
import type { Consumption } from './worker.ts';

/** The units of each operation in the cost model, from which `docs/cost.md` is generated. */
const MODEL: Readonly<Record<string, Pick<Use, 'writes' | 'reads'>>> = {
  creation: OPERATION_USE.createCartCheckout.usual,
  retrieval: OPERATION_USE.getCart.usual,
  'payment that succeeds': EVENT_USE.payment,
  'abandonment, of 49': EVENT_USE.abandonment,
  'fan-out of an event': EVENT_USE.fanOut,
  delivery: EVENT_USE.delivery,
};

const verdictsOf = (name: string, consumed: Consumption | undefined): Verdict[] => {
  if (!consumed) throw new Error(`No measurement of ${name}`);
  return (['writes', 'reads'] as const).map((kind) => {
    const units = consumed[kind];
    const stated = MODEL[name]![kind];
    return atMost(
      `${name}: ${kind.slice(0, -1)} units, at most the ${stated} of docs/cost.md`,
      units,
      stated,
      String(units),
    );
  });
};

/** Measures the calls and units of each operation, and compares them with the cost model. */
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
    verdicts: Object.keys(MODEL).flatMap((name) => verdictsOf(name, measured[name])),
  };
};
