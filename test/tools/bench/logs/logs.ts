import { join } from 'node:path';
import { OPERATION_USE } from '../../../../infra/cost/aws-use.ts';
import { DOLLARS_MAX, costsOf, totalOf } from '../../../../infra/cost/costs-per-million.ts';
import { variableOf } from '../../../../lib/settings/settings.ts';
import { LOG_BYTES_MAX, logBytesOf, type LoggedRequest } from '../../../support/logs/log-bytes.ts';
import { atMost, type Report } from '../../report.ts';
import { startBenchDatabase } from '../support/database.ts';
import { functionEnvironment } from '../support/environment.ts';
import { givenRequests } from '../support/operations.ts';
import { startWorker } from '../support/worker.ts';
import type { Sample } from './worker.ts';

const OPERATIONS = ['createCartCheckout', 'getCart'] as const;

/** Measures the bytes of all log lines of a request, and computes the dollars of a million requests from them. */
export const benchLogs = async (): Promise<Report> => {
  const database = await startBenchDatabase();
  const requestOf = await givenRequests(database);
  const env = { ...functionEnvironment(database.endpoint), [variableOf('stageName')]: 'prod' };
  const worker = await startWorker(join(import.meta.dirname, 'worker.ts'), [], env);
  const results = [];
  for (const operation of OPERATIONS) {
    const request = requestOf(operation);
    const measured = logBytesOf(await worker.ask<LoggedRequest>({ operation, request } satisfies Sample));
    const dollars = totalOf(costsOf(operation, { logBytes: measured.bytes }));
    results.push({ operation, ...measured, dollars });
  }
  await worker.stop();
  await database.close();
  return {
    title: 'Logs: bytes of a request, and dollars of a million',
    method:
      "The function's line and the gateway's. Lambda writes none. A duration has three digits, and one line in 100 has a trace id.\n" +
      `List prices of docs/cost.md, with ${OPERATIONS.map((name) => `${OPERATION_USE[name].usual.durationMs} ms of ${name}`).join(' and ')}.`,
    columns: ['operation', "function's line", 'access log', 'together', 'dollars'],
    rows: results.map(({ operation, functionBytes, accessBytes, bytes, dollars }) => [
      operation,
      ...[functionBytes, accessBytes, bytes].map(String),
      dollars.toFixed(2),
    ]),
    verdicts: results.flatMap(({ operation, bytes, dollars }) => [
      atMost(
        `${operation}: at most ${LOG_BYTES_MAX[operation]} bytes of logs`,
        bytes,
        LOG_BYTES_MAX[operation],
        String(bytes),
      ),
      atMost(
        `${operation}: at most $${DOLLARS_MAX[operation].toFixed(2)} per million requests`,
        dollars,
        DOLLARS_MAX[operation],
        `$${dollars.toFixed(2)}`,
      ),
    ]),
  };
};
