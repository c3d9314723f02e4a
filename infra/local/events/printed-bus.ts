import { BUS_SOURCE, type BusEvent, type EventBus } from '../../../lib/events/bus.ts';
import { jsonText } from '../../terminal.ts';

/** The fields of an event's `data` to print. The merchant chose the others, or they are about the buyer. */
const PRINTED_FIELDS = new Set(['id', 'status', 'paymentId', 'duplicatePaymentId', 'endpointId', 'reason']);

const withoutPersonalData = (data: object): object =>
  Object.fromEntries(Object.entries(data).filter(([name]) => PRINTED_FIELDS.has(name)));

/** The event as it is on the bus of a deployed stage. Its `data` keeps no personal data. */
const printed = ({ type, detail }: BusEvent): object => {
  const { data } = detail;
  const shown = typeof data === 'object' && data !== null ? { data: withoutPersonalData(data) } : {};
  return { source: BUS_SOURCE, 'detail-type': type, detail: { ...detail, ...shown } };
};

/** The event bus of the local stage prints its events, one line of JSON each. */
export const createPrintedBus = (print: (line: string) => void): EventBus => ({
  async put(events) {
    for (const event of events) print(jsonText(printed(event)));
  },
});
