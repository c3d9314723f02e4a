import { DELIVERIES_CONCURRENCY } from '../../../../infra/stage/function-limits.ts';
import { laneOf } from '../../../../lib/deliveries/lanes.ts';
import type { DeliverDependencies } from '../../../../lib/deliveries/deliver-dependencies.ts';
import {
  type DeliveryMessage,
  deliveryMessageOf,
  type DeliveryQueue,
} from '../../../../lib/deliveries/queue-message.ts';
import type { WebhookEndpoint } from '../../../../lib/endpoints/endpoint.ts';
import { createMemoryParked } from '../../../lib/deliveries/memory-parked.ts';
import {
  createMemoryDeliveries,
  createMemoryEndpoints,
} from '../../../lib/deliveries/memory-repositories.ts';
import { newEndpoint } from '../../../support/domain/endpoints.ts';
import { serve } from '../support/worker.ts';
import { CALL_MS, type Load, type Simulated, SLOW_MS } from './load.ts';
import { SimulatedQueue } from './simulated-queue.ts';
import { Simulation } from './simulation.ts';

const HEALTHY_MS = 200;

/** The time after the load, in which healthy deliveries still arrive. */
const REST_MS = 60_000;

/** The longest time that the slow endpoints may take for their backlog after their recovery. */
const RECOVERY_MS_MAX = 7_200_000;
const RECOVERY_STEP_MS = 10_000;

/** A repeatable sequence of numbers from 0 to below 1 (mulberry32). */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Makes the methods of a store take the time of a call. */
const timed = <Store extends object>(store: Store, sleep: Simulation['sleep']): Store =>
  new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        await sleep(CALL_MS);
        return method.apply(target, args);
      };
    },
  });

const endpointsNamed = (name: string, count: number): readonly WebhookEndpoint[] =>
  Array.from({ length: count }, (_, index) =>
    newEndpoint({ mode: 'live', url: `https://${name}-${index}.example/` }),
  );

/** The deliveries of both kinds, in simulated time. */
const simulate = async (load: Load): Promise<Simulated> => {
  const simulation = new Simulation();
  const random = createRandom(1);
  const { quick, slow: slowLane } = DELIVERIES_CONCURRENCY.live;
  const concurrency = quick + slowLane;
  const queues = {
    quick: new SimulatedQueue(simulation, 'quick', quick, random),
    slow: new SimulatedQueue(simulation, 'slow', slowLane, random),
  };
  const queue: DeliveryQueue = {
    send: async (messages, options = {}) => queues[options.lane ?? 'slow'].send(messages, options),
  };
  const { now, sleep } = simulation;
  const endpoints = createMemoryEndpoints(now);
  const { deliveries } = createMemoryDeliveries();
  const slow = endpointsNamed('slow', load.slowEndpoints);
  const healthy = endpointsNamed('healthy', load.healthyEndpoints);
  for (const endpoint of [...slow, ...healthy]) endpoints.add(endpoint);
  const sentAtMs = new Map<string, number>();
  const healthyDelaysMs: number[] = [];
  const sentToSlow = new Set<string>();
  let slowMs = SLOW_MS;
  let attemptsAtSlow = 0;
  let parked = 0;
  const dependencies: DeliverDependencies = {
    leases: timed(endpoints.leases, sleep),
    deliveries: timed(deliveries, sleep),
    parkedDeliveries: timed(createMemoryParked(), sleep),
    endpointTimers: timed(endpoints.endpointTimers, sleep),
    queue,
    findSecret: async ({ endpointId: id }) => ({ id, secret: 'whsec_AAAA' }),
    async findEvent(_log, sequence) {
      await sleep(CALL_MS);
      return { id: `evt_${sequence}`, body: '{}' };
    },
    async send({ url, headers }) {
      const isSlow = url.startsWith('https://slow');
      const startMs = now();
      const eventId = String(headers['webhook-id']);
      if (!isSlow) healthyDelaysMs.push(startMs - (sentAtMs.get(eventId) ?? 0));
      await sleep(isSlow ? slowMs : HEALTHY_MS);
      if (isSlow) {
        attemptsAtSlow += 1;
        sentToSlow.add(eventId);
      }
      return { status: 200, ms: now() - startMs };
    },
    reportDisabled: async () => undefined,
    report: ({ outcome }) => void (outcome === 'waiting' && (parked += 1)),
    now,
    random,
  };
  for (const each of Object.values(queues)) each.dependencies = dependencies;
  /** As the fan-out does. */
  const sendNew = (messages: readonly DeliveryMessage[]): void => {
    const stateOf = ({ endpoint }: DeliveryMessage) =>
      endpoints.get(endpoint.endpointId)?.state ?? { failures: 0 };
    for (const [lane, ofLane] of Map.groupBy(messages, (message) => laneOf(stateOf(message))))
      void queue.send(ofLane, { lane });
  };
  let sequence = 0;
  const put = async (to: readonly WebhookEndpoint[], perSecond: number, count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 10) {
      const messages = Array.from({ length: Math.min(10, left) }, () => {
        sequence += 1;
        const endpoint = to[sequence % to.length]!;
        const id = `evt_${sequence}`;
        sentAtMs.set(id, now());
        return deliveryMessageOf(endpoint, { id, type: 'cart.completed', recordedAtMs: sequence, sequence });
      });
      sendNew(messages);
      await sleep((1_000 * 10) / perSecond);
    }
  };
  const seconds = load.slowDeliveries / load.slowPerSecond;
  const healthyCount = seconds * load.healthyPerSecond;
  void put(slow, load.slowPerSecond, load.slowDeliveries);
  void put(healthy, load.healthyPerSecond, healthyCount);
  await simulation.runUntil(1_000 * seconds + REST_MS);
  /** The sum over both queues of their largest numbers. */
  const most = (count: 'inFlightMax' | 'invocationsMax'): number => queues.quick[count] + queues.slow[count];
  const loaded = {
    inFlightMax: most('inFlightMax'),
    invocationsMax: most('invocationsMax'),
    concurrency,
    healthyDelaysMs,
    healthyCount,
    attemptsAtSlow,
    parked,
  };
  slowMs = HEALTHY_MS;
  const recoveredAtMs = now();
  while (sentToSlow.size < load.slowDeliveries && now() - recoveredAtMs < RECOVERY_MS_MAX)
    await simulation.runUntil(now() + RECOVERY_STEP_MS);
  return {
    ...loaded,
    recoverySeconds: (now() - recoveredAtMs) / 1_000,
    recoveryInFlightMax: most('inFlightMax'),
    attempts: attemptsAtSlow,
    notSent: load.slowDeliveries - sentToSlow.size,
  };
};

serve(simulate);
