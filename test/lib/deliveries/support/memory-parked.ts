import type { ParkedDeliveries } from '../../../../lib/deliveries/parking/parked-deliveries.ts';
import type { DeliveryMessage } from '../../../../lib/deliveries/queue/queue-message.ts';
import { deliveryId } from '../../../../lib/deliveries/records/delivery.ts';
import type { EndpointRef } from '../../../../lib/endpoints/endpoint.ts';

function* firstOf<Value>(values: ReadonlyMap<string, Value> = new Map(), count: number): Generator<Value> {
  let left = count;
  for (const value of values.values()) {
    if (left === 0) return;
    left -= 1;
    yield value;
  }
}

/** Parked deliveries. The oldest events are added first. */
export const createMemoryParked = (): ParkedDeliveries & { all(): readonly DeliveryMessage[] } => {
  const parked = new Map<string, Map<string, DeliveryMessage>>();
  const of = ({ endpointId }: EndpointRef): Map<string, DeliveryMessage> => {
    const known = parked.get(endpointId) ?? new Map<string, DeliveryMessage>();
    parked.set(endpointId, known);
    return known;
  };
  return {
    async add(messages) {
      for (const message of messages) of(message.endpoint).set(deliveryId(message), message);
    },
    remove: async (message) => void of(message.endpoint).delete(deliveryId(message)),
    async first(endpointId, count) {
      const messages = Array.from(firstOf(parked.get(endpointId), count));
      return { messages, isEmpty: messages.length === 0 };
    },
    all: () => [...parked.values()].flatMap((own) => [...own.values()]),
  };
};
