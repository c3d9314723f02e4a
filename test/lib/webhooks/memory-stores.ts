import type { Clock } from '../../../lib/core/clock.ts';
import { logKey } from '../../../lib/events/logged-event.ts';
import type { DueItem, TimerStore } from '../../../lib/timers/timer-store.ts';
import { type Timer, timerOf } from '../../../lib/timers/timer.ts';
import { isOpen, type StateChange } from '../../../lib/webhooks/breaker.ts';
import type { DeliveryUpdate } from '../../../lib/webhooks/delivery-store.ts';
import { type DeliveryMessage, deliveryId, type DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import type { EndpointWithState } from '../../../lib/webhooks/endpoint-items.ts';
import type { EndpointState, WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import type { EndpointTimers } from '../../../lib/webhooks/endpoint-timers.ts';
import type { Lease, Leases } from '../../../lib/webhooks/leases.ts';
import { givenWorld, type World, type WorldOptions, type WorldStores } from './world.ts';

const LEASE_MS = 15_000;

const applyChange = (state: EndpointState, change: StateChange): EndpointState =>
  change.outcome === 'succeeded'
    ? { failures: 0, lastSuccessAtMs: change.atMs, parkedAtMs: state.parkedAtMs }
    : {
        ...state,
        failures: state.failures + 1,
        failingSinceMs: state.failingSinceMs ?? change.atMs,
        probeAtMs: change.probeAtMs,
      };

/** The leases of one endpoint, by the rules of `leases.ts`. */
const createLeases = (
  get: () => EndpointWithState | undefined,
  set: (endpoint: EndpointWithState) => void,
  now: Clock,
): Leases => {
  const slots = [
    { owner: '', untilMs: 0 },
    { owner: '', untilMs: 0 },
  ] as const;
  return {
    async take(_ref, eventId, ignoresBreaker = false) {
      const endpoint = get();
      if (!endpoint) return { outcome: 'removed' };
      if (endpoint.disabled) return { outcome: 'disabled' };
      const isProbe = !ignoresBreaker && isOpen(endpoint.state);
      const slot = slots.findIndex(({ untilMs }) => untilMs <= now());
      if (isProbe && (slot !== 0 || (endpoint.state.probeAtMs ?? 0) > now())) return { outcome: 'open' };
      const free = slots[slot];
      if (!free) return { outcome: 'busy' };
      Object.assign(free, { owner: eventId, untilMs: now() + LEASE_MS });
      const lease = { endpoint, slot: slot === 0 ? 0 : 1, owner: eventId, startByMs: now() + 3_000 } as const;
      return { outcome: 'leased', lease };
    },
    async release({ slot, owner }: Lease, change) {
      const endpoint = get();
      if (!endpoint) return;
      if (slots[slot].owner === owner) Object.assign(slots[slot], { owner: '', untilMs: 0 });
      const disabled = change.outcome === 'failed' ? change.disabled : undefined;
      set({
        ...endpoint,
        state: applyChange(endpoint.state, change),
        disabled: endpoint.disabled ?? disabled,
      });
    },
  };
};

/** Timers by the name of their item, by the rules of `timer-store.ts`. */
const createTimers = (keyOf: (name: string) => DueItem['key']) => {
  const byName = new Map<string, Timer>();
  const byTimer = new Map<string, Map<string, number>>();
  const nameOf = new Map<string, string>();
  const set = (name: string, next: Timer | undefined): void => {
    nameOf.set(JSON.stringify(keyOf(name)), name);
    byTimer.get(byName.get(name)?.timer ?? '')?.delete(name);
    byName.delete(name);
    if (!next) return;
    byName.set(name, next);
    const others = byTimer.get(next.timer) ?? new Map<string, number>();
    byTimer.set(next.timer, others.set(name, next.timerAtMs));
  };
  /** The name of an item that still has the timer. */
  const timedName = ({ key, timer, timerAtMs }: DueItem): string | undefined => {
    const name = nameOf.get(JSON.stringify(key)) ?? '';
    const stored = byName.get(name);
    return stored?.timer === timer && stored.timerAtMs === timerAtMs ? name : undefined;
  };
  const change = (item: DueItem, next: Timer | undefined): void => {
    const name = timedName(item);
    if (name !== undefined) set(name, next);
  };
  const store: TimerStore = {
    async *due(timer, untilMs) {
      const due = [...(byTimer.get(timer) ?? [])].filter(([, timerAtMs]) => timerAtMs <= untilMs);
      const items = due.map(([name, timerAtMs]) => ({ key: keyOf(name), timer, timerAtMs }));
      yield items.toSorted((a, b) => a.timerAtMs - b.timerAtMs).slice(0, 1_000);
    },
    clear: async (item) => change(item, undefined),
    postpone: async (item, timerAtMs) => change(item, { timer: item.timer, timerAtMs }),
  };
  return { store, set, timedName, get: (name: string) => byName.get(name) };
};

/** The deliveries of one endpoint, with those that wait. */
const createDeliveries = (endpointId: string): Pick<WorldStores, 'deliveries' | 'timed' | 'createTimed'> => {
  const records = new Map<string, DeliveryRecord>();
  const next = new Map<string, DeliveryMessage>();
  const timers = createTimers((id) => ({ endpointId, id }));
  return {
    deliveries: {
      async record(message: DeliveryMessage, { next: nextAttempt, ...update }: DeliveryUpdate) {
        const { eventId, type, recordedAtMs, sequence } = message;
        const id = deliveryId(message);
        const before = records.get(id);
        const attempts = [...(before?.attempts ?? []), ...(update.attempt ? [update.attempt] : [])];
        const status = before?.status === 'succeeded' ? 'succeeded' : update.status;
        const nextAttemptAtMs = nextAttempt?.atMs;
        const { reason } = update;
        const record = { endpointId, id, eventId, type, recordedAtMs, sequence, status, attempts };
        records.set(id, { ...record, nextAttemptAtMs, reason });
        timers.set(id, nextAttempt?.timer);
        if (nextAttempt) next.set(id, { ...message, attempt: nextAttempt.attempt });
      },
      listOf: async () => [...records.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)),
    },
    timed: async () =>
      [...next].flatMap(([id, { eventId, attempt }]) => {
        const timer = timers.get(id);
        return timer ? [{ eventId, nextAttempt: attempt, ...timer }] : [];
      }),
    createTimed: (queue, live) => ({
      timers: timers.store,
      async requeue(items, delaySeconds) {
        const due = items.filter((item) => timers.timedName(item) !== undefined);
        const messages = due.flatMap((item) => next.get(timers.timedName(item) ?? '') ?? []);
        if (messages.length > 0) await queue.send(messages, delaySeconds);
        for (const item of due) {
          live();
          await timers.store.clear(item);
        }
        return { count: due.length, failed: 0 };
      },
    }),
  };
};

/** Stores of one endpoint in memory, for tests that need thousands of calls. Those of DynamoDB have tests of their own. */
const createMemoryStores = (stored: WebhookEndpoint, now: Clock): WorldStores => {
  let endpoint: EndpointWithState | undefined = { ...stored, state: { failures: 0 } };
  const set = (next: EndpointWithState): void => void (endpoint = next);
  const { endpointId } = stored;
  const timers = createTimers((id) => ({ log: logKey(stored), id }));
  const endpointTimers: EndpointTimers = {
    store: timers.store,
    async notePark(_ref, nowMs) {
      if (!endpoint) return;
      set({ ...endpoint, state: { ...endpoint.state, parkedAtMs: nowMs } });
      timers.set(endpointId, timers.get(endpointId) ?? timerOf('probe', endpointId, nowMs));
    },
    async claim(item, atMs) {
      if (timers.timedName(item) === undefined) return undefined;
      await timers.store.postpone(item, atMs);
      return endpoint;
    },
    async end(item, parkedAtMs) {
      if (endpoint?.state.parkedAtMs === parkedAtMs) await timers.store.clear(item);
    },
  };
  return {
    ...createDeliveries(endpointId),
    leases: createLeases(() => endpoint, set, now),
    endpointTimers,
    endpointTimer: async () => timers.get(endpointId),
    endpoints: {
      get: async () => endpoint,
      async setState(state) {
        if (endpoint) set({ ...endpoint, state: { parkedAtMs: endpoint.state.parkedAtMs, ...state } });
      },
    },
  };
};

export const inMemory = (options?: WorldOptions): Promise<World> => givenWorld(createMemoryStores, options);
