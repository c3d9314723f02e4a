import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/core/clock.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { isoTime } from '../../../lib/core/timestamps.ts';
import { BUS_SOURCE } from '../../../lib/events/bus.ts';
import { PAYMENT_DETAIL_SCHEMAS } from '../../../lib/payments/payment-event.ts';
import { PAYMENT_SOURCE } from '../../stage/payment-senders.ts';
import { jsonText } from '../../terminal/terminal.ts';
import type { CalledQueue } from './queue.ts';

/** An entry of PutEvents. */
export interface BusEntry {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
}

/** The fields of an event's `data` to print. The merchant chose the others, or they are about the buyer. */
const PRINTED_FIELDS = new Set(['id', 'status', 'paymentId', 'duplicatePaymentId', 'endpointId', 'reason']);

/** The event as it is on the bus of a deployed stage. Its `data` keeps no personal data. */
const printed = ({ Source: source, DetailType }: BusEntry, detail: { readonly data?: object }): object => {
  const data = Object.entries(detail.data ?? {}).filter(([name]) => PRINTED_FIELDS.has(name));
  return { source, 'detail-type': DetailType, detail: { ...detail, data: Object.fromEntries(data) } };
};

const isPayment = ({ Source, DetailType = '' }: BusEntry): boolean =>
  Source === PAYMENT_SOURCE && Object.hasOwn(PAYMENT_DETAIL_SCHEMAS, DetailType);

/** Puts entries on the bus. Returns the result of each. */
export type EventBus = (entries: readonly BusEntry[]) => Promise<readonly object[]>;

/**
 * Creates the event bus of the local stage. It sends payment events to the payments queue, by the same rule as
 * `infra/stack/events/payments.ts`. It prints the service's own events, one line of JSON each.
 */
export const createLocalBus =
  (payments: CalledQueue, print: (line: string) => void, now: Clock): EventBus =>
  async (entries) => {
    const results: object[] = [];
    for (const entry of entries) {
      const detail = parseJson(entry.Detail ?? '');
      const id = randomUUID();
      if (typeof detail !== 'object' || detail === null) {
        results.push({ ErrorCode: 'MalformedDetail', ErrorMessage: 'The detail is no JSON object.' });
        continue;
      }
      if (entry.Source === BUS_SOURCE) print(jsonText(printed(entry, detail)));
      if (isPayment(entry)) {
        const { Source: source, DetailType } = entry;
        const time = isoTime(now());
        const event = { version: '0', id, 'detail-type': DetailType, source, time, detail };
        await payments.send([{ body: JSON.stringify(event), delaySeconds: 0 }]);
      }
      results.push({ EventId: id });
    }
    return results;
  };
