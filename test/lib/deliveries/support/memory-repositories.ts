import type { Clock } from '../../../../lib/core/clock.ts';
import { LEASE_MS, type Denial, type Taker } from '../../../../lib/deliveries/leases/lease-conditions.ts';
import type { Lease, Leases } from '../../../../lib/deliveries/leases/leases.ts';
import type { EndpointTimers } from '../../../../lib/deliveries/parking/endpoint-timers.ts';
import type { DeliveryMessage } from '../../../../lib/deliveries/queue/queue-message.ts';
import type { DeliveryUpdate } from '../../../../lib/deliveries/records/delivery-repository.ts';
import { deliveryId, type DeliveryRecord } from '../../../../lib/deliveries/records/delivery.ts';
import type { ReportDisabled } from '../../../../lib/deliveries/report-disabled.ts';
import type { DeliveryTimers } from '../../../../lib/deliveries/retries/delivery-timers.ts';
import { LONG_MS } from '../../../../lib/deliveries/sending/schedule.ts';
import { isOpen, type StateChange } from '../../../../lib/endpoints/breaker.ts';
import { endpointEvent, type EndpointEvent } from '../../../../lib/endpoints/endpoint-event.ts';
import { endpointKey } from '../../../../lib/endpoints/endpoint-item.ts';
import type {
  EndpointRef,
  EndpointState,
  EndpointWithState,
  WebhookEndpoint,
} from '../../../../lib/endpoints/endpoint.ts';
import type { Slot } from '../../../../lib/endpoints/lease-slots.ts';
import { logKey } from '../../../../lib/events/logged-event.ts';
import type { DueItem, TimerRepository } from '../../../../lib/timers/timer-repository.ts';
import { kindOf, type Timer, timerOf } from '../../../../lib/timers/timer.ts';
import { createMemoryParked } from './memory-parked.ts';
import { givenWorld, type World, type WorldOptions, type WorldRepositories } from './world.ts';

const BOTH: readonly Slot[] = [0, 1];

interface StoredEndpoint {
  endpoint: EndpointWithState;
  readonly owners: [string | undefined, string | undefined];
  readonly untilMs: [number, number];
}

const applyChange = (state: EndpointState, change: StateChange): EndpointState => {
  const { lease0UntilMs, parks, drainedParks } = state;
  if (change.outcome === 'succeeded') {
    const isQuick = change.isQuick || undefined;
    return { failures: 0, lastSuccessAtMs: change.atMs, isQuick, lease0UntilMs, parks, drainedParks };
  }
  return {
    ...state,
    failures: state.failures + 1,
    failingSinceMs: state.failingSinceMs ?? change.atMs,
    probeAtMs: change.probeAtMs,
    isQuick: undefined,
  };
};

/** Timers by the name of their item, by the rules of `timer-repository.ts`. */
const createTimers = (keyOf: (name: string) => DueItem['key'], nameOf: (key: DueItem['key']) => string) => {
  const byName = new Map<string, Timer>();
  const byTimer = new Map<string, Map<string, number>>();
  const set = (name: string, next: Timer | undefined): void => {
    byTimer.get(byName.get(name)?.timer ?? '')?.delete(name);
    byName.delete(name);
    if (!next) return;
    byName.set(name, next);
    const others = byTimer.get(next.timer) ?? new Map<string, number>();
    byTimer.set(next.timer, others.set(name, next.timerAtMs));
  };
  /** The name of an item that still has the timer. */
  const timedName = ({ key, timer, timerAtMs }: DueItem): string | undefined => {
    const name = nameOf(key);
    const stored = byName.get(name);
    return stored?.timer === timer && stored.timerAtMs === timerAtMs ? name : undefined;
  };
  const change = (item: DueItem, next: Timer | undefined): void => {
    const name = timedName(item);
    if (name !== undefined) set(name, next);
  };
  const repository: TimerRepository = {
    async *due(timer, untilMs) {
      const due = [...(byTimer.get(timer) ?? [])].filter(([, timerAtMs]) => timerAtMs <= untilMs);
      const items = due.map(([name, timerAtMs]) => ({ key: keyOf(name), timer, timerAtMs }));
      yield items.toSorted((a, b) => a.timerAtMs - b.timerAtMs);
    },
    clear: async (item) => change(item, undefined),
    postpone: async (item, timerAtMs) => change(item, { timer: item.timer, timerAtMs }),
  };
  return { repository, set, timedName, get: (name: string) => byName.get(name) };
};

/** Deliveries, with those that wait. */
const createMemoryDeliveries = () => {
  const records = new Map<string, DeliveryRecord>();
  const next = new Map<string, DeliveryMessage>();
  const nameOf = (endpointId: string, id: string): string => `${endpointId} ${id}`;
  const timers = createTimers(
    (name) => ({ endpointId: name.split(' ')[0], id: name.split(' ')[1] }),
    ({ endpointId, id }) => nameOf(String(endpointId), String(id)),
  );
  const deliveryTimers: DeliveryTimers = {
    repository: timers.repository,
    find: async (items) =>
      items.flatMap((item) => {
        const message = next.get(timers.timedName(item) ?? '');
        if (!message) return [];
        const { endpoint, attempt: nextAttempt, ...event } = message;
        const { endpointId } = endpoint;
        return [{ item, record: { ...event, ...item, endpointId, log: logKey(endpoint), nextAttempt } }];
      }),
  };
  return {
    deliveries: {
      async record(message: DeliveryMessage, { next: nextAttempt, ...update }: DeliveryUpdate) {
        const { eventId, type, recordedAtMs, sequence, endpoint } = message;
        const { endpointId } = endpoint;
        const id = deliveryId(message);
        const name = nameOf(endpointId, id);
        const before = records.get(name);
        const attempts = [...(before?.attempts ?? []), ...(update.result ? [update.result] : [])];
        const status = before?.status === 'succeeded' ? 'succeeded' : update.status;
        const nextAttemptAtMs = nextAttempt?.atMs;
        const { reason } = update;
        const record = { endpointId, id, eventId, type, recordedAtMs, sequence, status, attempts };
        records.set(name, { ...record, nextAttemptAtMs, reason });
        timers.set(name, nextAttempt?.timer);
        if (nextAttempt) next.set(name, { ...message, attempt: nextAttempt.attempt });
        else next.delete(name);
      },
      listOf: async (endpointId: string) =>
        [...records.values()]
          .filter((record) => record.endpointId === endpointId)
          .toSorted((a, b) => (a.id < b.id ? 1 : -1)),
    },
    timed: async () =>
      [...next].flatMap(([name, { eventId, attempt }]) => {
        const timer = timers.get(name);
        return timer ? [{ eventId, nextAttempt: attempt, ...timer }] : [];
      }),
    deliveryTimers,
  };
};

/** Endpoints with their leases and timers, by the rules of `leases.ts` and `endpoint-timers.ts`. */
const createMemoryEndpoints = (now: Clock) => {
  const stored = new Map<string, StoredEndpoint>();
  const refs = new Map<string, EndpointRef>();
  const timers = createTimers(
    (id) => endpointKey(refs.get(id)!),
    ({ id }) => String(id),
  );
  const setState = (id: string, state: EndpointState): void => {
    const entry = stored.get(id);
    if (entry) entry.endpoint = { ...entry.endpoint, state };
  };
  const hold = (
    { endpoint, owners, untilMs }: StoredEndpoint,
    slot: Slot,
    owner: string | undefined,
  ): void => {
    owners[slot] = owner;
    untilMs[slot] = owner === undefined ? 0 : now() + LEASE_MS;
    if (slot === 0)
      setState(endpoint.endpointId, { ...endpoint.state, lease0UntilMs: untilMs[0] || undefined });
  };
  const isGranted = (
    { endpoint: { state, disabled }, untilMs }: StoredEndpoint,
    slot: Slot,
    { purpose, lane }: Taker,
  ): boolean => {
    if (untilMs[slot] > now()) return false;
    const isSlot0Long = untilMs[0] > now() && untilMs[0] < now() + LEASE_MS - LONG_MS;
    if (slot === 1 && isSlot0Long) return false;
    if (slot === 1 || lane === 'quick') return !disabled && !isOpen(state) && state.isQuick === true;
    if (disabled) return purpose === 'drain';
    return purpose === 'test' || !isOpen(state) || (state.probeAtMs ?? 0) <= now();
  };
  let takes = 0;
  const leases: Leases = {
    async take(ref, { slots = BOTH, purpose = 'delivery', lane = 'slow' } = {}): Promise<Lease | Denial> {
      const entry = stored.get(ref.endpointId);
      if (!entry) return { outcome: 'unknown' };
      const { endpoint } = entry;
      const slot = slots.find((each) => isGranted(entry, each, { purpose, lane }));
      if (slot === undefined && lane === 'quick' && (endpoint.disabled || !endpoint.state.isQuick))
        return { outcome: 'notQuick', endpoint };
      if (slot === undefined && endpoint.disabled) return { outcome: 'dropped', endpoint };
      if (slot === undefined) return { outcome: 'waiting', endpoint };
      takes += 1;
      const owner = String(takes);
      hold(entry, slot, owner);
      return { endpoint: entry.endpoint, slot, owner, startByMs: now() + 3_000 };
    },
    async release(lease, change) {
      const entry = stored.get(lease.endpoint.endpointId);
      if (!entry) return { isStored: false };
      if (entry.owners[lease.slot] === lease.owner) hold(entry, lease.slot, undefined);
      if (entry.endpoint.addressVersion !== lease.endpoint.addressVersion)
        return { isStored: false, endpoint: entry.endpoint };
      const { endpoint } = entry;
      const disabled = change.outcome === 'failed' ? change.disabled : undefined;
      entry.endpoint = {
        ...endpoint,
        state: applyChange(endpoint.state, change),
        disabled: endpoint.disabled ?? disabled,
      };
      return { isStored: true, endpoint: entry.endpoint };
    },
    async free(lease) {
      const entry = stored.get(lease.endpoint.endpointId);
      if (entry?.owners[lease.slot] === lease.owner) hold(entry, lease.slot, undefined);
      return entry?.endpoint;
    },
    async freeDrained(lease) {
      await leases.free(lease);
      const { endpointId } = lease.endpoint;
      const { state } = stored.get(endpointId)?.endpoint ?? {};
      if (!state) return true;
      const { parks: drainedParks } = lease.endpoint.state;
      setState(endpointId, { ...state, drainedParks });
      return state.parks === drainedParks;
    },
  };
  const reported: EndpointEvent[] = [];
  const reportDisabled: ReportDisabled = async (endpoint) => {
    const entry = stored.get(endpoint?.endpointId ?? '');
    if (!entry?.endpoint.disabled?.isUnreported) return;
    const { atMs, reason } = entry.endpoint.disabled;
    entry.endpoint = { ...entry.endpoint, disabled: { atMs, reason } };
    const { bodyAt } = endpointEvent('webhook_endpoint.disabled', entry.endpoint);
    reported.push(bodyAt(now()) as EndpointEvent);
  };
  const endpointTimers: EndpointTimers = {
    repository: timers.repository,
    async notePark(ref, atMs) {
      const { endpointId } = ref;
      const entry = stored.get(endpointId);
      if (!entry) return undefined;
      const { state } = entry.endpoint;
      setState(endpointId, { ...state, parks: (state.parks ?? 0) + 1 });
      timers.set(endpointId, timers.get(endpointId) ?? timerOf(kindOf('probe', ref.mode), endpointId, atMs));
      return entry.endpoint;
    },
    async postpone(item, atMs) {
      const id = timers.timedName(item);
      if (id === undefined) return undefined;
      await timers.repository.postpone(item, atMs);
      return stored.get(id)?.endpoint;
    },
    async end(item) {
      const id = timers.timedName(item) ?? '';
      const { state } = stored.get(id)?.endpoint ?? {};
      if (state?.parks === state?.drainedParks) await timers.repository.clear(item);
    },
  };
  return {
    leases,
    endpointTimers,
    reportDisabled,
    reported: async () => reported,
    add(endpoint: WebhookEndpoint): void {
      refs.set(endpoint.endpointId, endpoint);
      stored.set(endpoint.endpointId, {
        endpoint: { ...endpoint, state: { failures: 0 } },
        owners: [undefined, undefined],
        untilMs: [0, 0],
      });
    },
    get: (endpointId: string): EndpointWithState | undefined => stored.get(endpointId)?.endpoint,
    setState,
    timerOf: (endpointId: string): Timer | undefined => timers.get(endpointId),
  };
};

/** The repositories in memory, for tests that need thousands of calls. Those in DynamoDB have their own tests. */
const createMemoryRepositories = (endpoint: WebhookEndpoint, now: Clock): WorldRepositories => {
  const { endpointId } = endpoint;
  const { leases, endpointTimers, reportDisabled, reported, ...endpoints } = createMemoryEndpoints(now);
  endpoints.add(endpoint);
  const parkedDeliveries = createMemoryParked();
  return {
    ...createMemoryDeliveries(),
    parkedDeliveries,
    parked: async () => parkedDeliveries.all(),
    leases,
    endpointTimers,
    reportDisabled,
    reported,
    endpointTimer: async () => endpoints.timerOf(endpointId),
    endpoints: {
      find: async () => endpoints.get(endpointId),
      async setState(state) {
        const { parks, drainedParks } = endpoints.get(endpointId)?.state ?? { failures: 0 };
        endpoints.setState(endpointId, { parks, drainedParks, ...state });
      },
    },
  };
};

export const inMemory = (options?: WorldOptions): Promise<World> =>
  givenWorld(createMemoryRepositories, options);
