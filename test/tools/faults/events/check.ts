import { alignRows } from '../../bench/support/report.ts';
import { checkChanges } from './check-changes.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkLogs } from './check-logs.ts';
import type { EventsHistory } from './history.ts';
import type { BrokenRule } from '../history.ts';

/** Checks every rule of events that must hold under every fault. Returns the broken ones. */
export const checkEvents = (history: EventsHistory): BrokenRule[] =>
  [checkChanges, checkLogs, checkDeliveries].flatMap((check) => check(history));

/** The figures of a run: one row for each log, then one for each endpoint. */
export const summarizeEvents = ({ logs, endpoints, received }: EventsHistory): string => {
  const typesOf = (types: readonly string[]): string =>
    [...Map.groupBy(types, (type) => type)].map(([type, { length }]) => `${type}:${length}`).join(' ');
  const logRows = logs.map(({ log, stored, followed }) => [
    `${log.storeId}, ${log.mode}`,
    String(stored.length),
    String(followed.length),
    typesOf(stored.map(({ type }) => type)),
  ]);
  const endpointRows = endpoints.map(({ storeId, mode, endpointId, deliveries }) => {
    const own = received.filter(({ path }) => path === `/${endpointId}`);
    return [
      `${endpointId} (${storeId}, ${mode})`,
      String(deliveries.length),
      String(own.length),
      String(deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0)),
    ];
  });
  return [
    ...alignRows([['log', 'events', 'followed', 'types'], ...logRows]),
    ...alignRows([['endpoint', 'deliveries', 'received', 'attempts'], ...endpointRows]),
  ].join('\n');
};
