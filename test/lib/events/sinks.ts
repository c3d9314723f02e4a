import type { DeliveryQueue } from '../../../lib/deliveries/queue/delivery-queue.ts';
import { createEndpointSink } from '../../../lib/deliveries/queue/endpoint-sink.ts';
import { type DeliveryMessage, isDrainRequest } from '../../../lib/deliveries/queue/queue-message.ts';
import type { EndpointWithState } from '../../../lib/endpoints/endpoint.ts';
import { createBusSink } from '../../../lib/events/bus-sink.ts';
import type { BusEvent, EventBus } from '../../../lib/events/bus.ts';
import type { EventDeadLetter } from '../../../lib/events/event-dead-letters.ts';
import { fanOutRecords } from '../../../lib/events/fan-out-records.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import { NOW_MS } from '../../support/clock.ts';
import { readEndpoint } from '../../support/domain/endpoints.ts';

/** A call succeeds, unless `fail` throws for it. */
type Fail = (call: string, ids: readonly string[]) => void;

/** The sinks of events, and the events that they got. */
export const givenSinks = (
  endpoints: readonly EndpointWithState[] = [readEndpoint('we_1'), readEndpoint('we_2')],
) => {
  const onBus: BusEvent[] = [];
  const messages: DeliveryMessage[] = [];
  const deadLetters: EventDeadLetter[] = [];
  const calls: string[] = [];
  let nowMs = NOW_MS;
  let fail: Fail = () => undefined;
  const call = async (name: string, ids: readonly string[] = []): Promise<void> => {
    await Promise.resolve();
    calls.push(name);
    fail(name, ids);
  };
  const bus: EventBus = {
    put: async (sent) => {
      await call(
        'bus',
        sent.map(({ detail }) => String(detail['id'])),
      );
      onBus.push(...sent);
    },
  };
  const queue: DeliveryQueue = {
    send: async (sent) => {
      const deliveries = sent.flatMap((message) => (isDrainRequest(message) ? [] : message));
      await call(
        'queue',
        deliveries.map(({ eventId }) => eventId),
      );
      messages.push(...deliveries);
    },
  };
  const createSinks = () => [
    createBusSink(bus, async (storeId) => {
      await call('store');
      return `Name of ${storeId}`;
    }),
    createEndpointSink(queue, async ({ storeId, mode }) => {
      await call('endpoints');
      return endpoints.filter((each) => each.storeId === storeId && each.mode === mode);
    }),
  ];
  const saveDeadLetter = async (key: EventDeadLetter) => {
    await call('dead letter');
    deadLetters.push(key);
  };
  const handler = fanOutRecords({ createSinks, saveDeadLetter, now: () => nowMs });
  return {
    onBus,
    messages,
    deadLetters,
    calls,
    failing(behave: Fail): void {
      fail = behave;
    },
    later(ms: number): void {
      nowMs = NOW_MS + ms;
    },
    send: (Records: Parameters<typeof handler>[0]['Records']) => handler({ Records }),
    /** The ids that the bus has, and the ids and endpoints that the queue has, each once. */
    received: () => ({
      bus: [...new Set(onBus.map(({ detail }) => detail['id']))],
      queue: new Set(messages.map(({ eventId, endpoint: { endpointId } }) => `${eventId} ${endpointId}`)),
    }),
  };
};

type Sinks = ReturnType<typeof givenSinks>;

/** Invokes the function as Lambda does, from the first failed record on, until all are handled. */
export const followStream = async (sinks: Sinks, records: Parameters<Sinks['send']>[0]): Promise<number> => {
  let left = records;
  for (let invocations = 1; ; invocations += 1) {
    try {
      const { batchItemFailures } = await sinks.send(left);
      const [failure] = batchItemFailures;
      if (!failure) return invocations;
      left = left.slice(
        left.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failure.itemIdentifier),
      );
    } catch {
      // The whole batch is retried.
    }
    if (invocations > 1_000) throw new Error('The stream is blocked');
  }
};

export const pairsOf = (sent: readonly LoggedEvent[]): Set<string> =>
  new Set(sent.flatMap(({ id }) => [`${id} we_1`, `${id} we_2`]));
