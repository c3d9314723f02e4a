import { eventIdOf } from '../../../../lib/carts/cart-event.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { logKey } from '../../../../lib/events/logged-event.ts';
import { alignRows } from '../../report.ts';
import { type BrokenRule, listBroken } from '../world/history.ts';
import type { EventsHistory, LogHistory } from './history.ts';
import type { Report } from '../../../support/payment-side.ts';
import type { LoadEndpoint } from './stored.ts';

// Nothing may be lost or repeated. How an event, a page or a delivery looks is proven by the tests of `lib`.

/** The service records an abandonment within two minutes. */
const ABANDONMENT_MAX_MS = 120_000;

const idOf = (report: Report): string => ('refundId' in report ? report.refundId : report.eventId);

/** The events that a cart must have. Whether a failed payment has one depends on the order of arrival. */
const expectedEvents = (cart: Cart, endedAtMs: number): readonly string[] => {
  const { payments, refunds = [], abandonmentRecordedAtMs, expiresAtMs } = cart;
  const isAbandoned =
    abandonmentRecordedAtMs !== undefined ||
    (payments === undefined && expiresAtMs < endedAtMs - ABANDONMENT_MAX_MS);
  return [
    ...(payments ?? [])
      .filter(({ result }) => result === 'succeeded')
      .map(({ paymentId, eventId: cause }) => {
        const type = paymentId === cart.paymentId ? 'cart.completed' : 'cart.duplicate_payment';
        return eventIdOf({ type, cart, cause });
      }),
    ...refunds.map(({ refundId: cause }) => eventIdOf({ type: 'cart.refunded', cart, cause })),
    ...(isAbandoned ? [eventIdOf({ type: 'cart.abandoned', cart, cause: `expiry ${expiresAtMs}` })] : []),
  ];
};

const checkChanges = ({ carts, logs, written, endedAtMs }: EventsHistory): BrokenRule[] => {
  const stored = Map.groupBy(
    logs.flatMap((log) => log.stored),
    ({ id }) => id,
  );
  const expected = carts.flatMap((cart) => expectedEvents(cart, endedAtMs));
  const storedReports = new Set(
    carts.flatMap(({ payments = [], refunds = [], earlyRefunds = [] }) =>
      [...payments, ...refunds, ...earlyRefunds].map(idOf),
    ),
  );
  const confirmed = written.flatMap(({ plan, failure }) =>
    failure === undefined
      ? plan.steps.flatMap((step) => (step.by === 'writer' ? [idOf(step.report)] : []))
      : [],
  );
  return [
    ...listBroken(
      'each change has exactly one event',
      [...new Set([...expected, ...stored.keys()])],
      (id) => {
        const count = stored.get(id)?.length ?? 0;
        return count !== 1 && `there are ${count} events ${id}`;
      },
    ),
    ...listBroken('each writer succeeds in the end', written, ({ failure }) => failure),
    ...listBroken(
      'each confirmed payment and refund is stored',
      confirmed,
      (id) => !storedReports.has(id) && `${id} is missing`,
    ),
  ];
};

/** Compares the result of a reader with the log. */
const checkReader = ({ log, stored, followed }: LogHistory): BrokenRule[] => {
  const length = Math.max(followed.length, stored.length);
  const index = Array.from({ length }).findIndex((_, at) => followed[at]?.id !== stored[at]?.id);
  return listBroken(
    'a reader who follows the cursor gets each event exactly once',
    index === -1 ? [] : [index],
    (at) =>
      `${logKey(log)}, at ${at} of ${stored.length}: ${followed[at]?.id ?? 'nothing'} instead of ${stored[at]?.id ?? 'nothing'}`,
  );
};

const checkEndpoint = (endpoint: LoadEndpoint, { logs, received }: EventsHistory): BrokenRule[] => {
  const { endpointId, events: types } = endpoint;
  const taken = new Set(
    received
      .filter(({ path, status }) => path === `/${endpointId}` && status === 204)
      .map(({ headers }) => headers['webhook-id']),
  );
  const log = logs.find((each) => logKey(each.log) === logKey(endpoint));
  const wanted = (log?.stored ?? []).filter(({ type }) => types?.includes(type) ?? true);
  return listBroken(
    'each endpoint gets each event at least once',
    wanted,
    ({ id, sequence }) => !taken.has(id) && `${endpointId} never got ${id}, number ${sequence}`,
  );
};

/** Checks that faults lose and repeat nothing. Returns the broken rules. */
export const checkEvents = (history: EventsHistory): BrokenRule[] => [
  ...checkChanges(history),
  ...history.logs.flatMap(checkReader),
  ...history.endpoints.flatMap((endpoint) => checkEndpoint(endpoint, history)),
  ...listBroken('all work ends', [history], ({ isSettled }) => !isSettled && 'there is work left'),
];

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
  const endpointRows = endpoints.map(({ storeId, mode, endpointId }) => [
    `${endpointId} (${storeId}, ${mode})`,
    String(received.filter(({ path }) => path === `/${endpointId}`).length),
  ]);
  return [
    ...alignRows([['log', 'events', 'followed', 'types'], ...logRows]),
    ...alignRows([['endpoint', 'received'], ...endpointRows]),
  ].join('\n');
};
