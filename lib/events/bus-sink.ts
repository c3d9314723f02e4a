import type { BusEvent, EventBus } from './bus.ts';
import type { EventSink } from './fan-out.ts';
import type { EventBody, LoggedEvent } from './logged-event.ts';

/** The event as the bus gets it. */
const busEventOf = ({ storeId, mode, body }: LoggedEvent, storeName: string): BusEvent => {
  const { id, type, timestamp, data } = JSON.parse(body) as EventBody;
  return { type, detail: { id, type, timestamp, store: { id: storeId, name: storeName }, mode, data } };
};

/**
 * The platform's bus as an event sink.
 *
 * @param storeNameOf the name of a store, or its id if it has no record
 */
export const createBusSink =
  (bus: EventBus, storeNameOf: (storeId: string) => Promise<string>): EventSink =>
  async (events) =>
    bus.put(
      await Promise.all(events.map(async (event) => busEventOf(event, await storeNameOf(event.storeId)))),
    );
