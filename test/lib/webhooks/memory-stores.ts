import type { Clock } from '../../../lib/core/clock.ts';
import type { StoredDueEntry } from '../../../lib/due/due-item.ts';
import { isOpen, type StateChange } from '../../../lib/webhooks/breaker.ts';
import type { DeliveryUpdate } from '../../../lib/webhooks/delivery-store.ts';
import { type DeliveryMessage, deliveryId, type DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import type { EndpointWithState } from '../../../lib/webhooks/endpoint-items.ts';
import type { EndpointState, WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import type { Lease, Leases } from '../../../lib/webhooks/leases.ts';
import type { ParkedDelivery } from '../../../lib/webhooks/parked-deliveries.ts';
import type { WorldStores } from './world.ts';

const LEASE_MS = 15_000;

const applyChange = (state: EndpointState, change: StateChange): EndpointState =>
  change.outcome === 'succeeded'
    ? { failures: 0, lastSuccessAtMs: change.atMs }
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

const createRecords = () => {
  const records = new Map<string, DeliveryRecord>();
  return {
    async record(message: DeliveryMessage, update: DeliveryUpdate): Promise<void> {
      const { endpoint, eventId, type, recordedAtMs, sequence } = message;
      const id = deliveryId(message);
      const before = records.get(id);
      const attempts = [...(before?.attempts ?? []), ...(update.attempt ? [update.attempt] : [])];
      const status = before?.status === 'succeeded' ? 'succeeded' : update.status;
      const { endpointId } = endpoint;
      records.set(id, { endpointId, id, eventId, type, recordedAtMs, sequence, ...update, status, attempts });
    },
    listOf: async () => [...records.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)),
  };
};

/** Stores of one endpoint in memory, for tests that need thousands of calls. Those of DynamoDB have tests of their own. */
export const createMemoryStores = (stored: WebhookEndpoint, now: Clock): WorldStores => {
  let endpoint: EndpointWithState | undefined = { ...stored, state: { failures: 0 } };
  const parked = new Map<string, ParkedDelivery>();
  const entries = new Map<string, StoredDueEntry>();
  const set = (next: EndpointWithState): void => void (endpoint = next);
  return {
    leases: createLeases(() => endpoint, set, now),
    deliveries: createRecords(),
    endpoints: {
      get: async () => endpoint,
      async setState(state) {
        if (endpoint) endpoint = { ...endpoint, state };
      },
    },
    parked: {
      async park(messages) {
        for (const message of messages) {
          const { sequence, attempt } = message;
          const id = deliveryId(message);
          parked.set(id, { id, sequence, attempt });
        }
      },
      list: async (_ref, limit) =>
        [...parked.keys()]
          .toSorted()
          .slice(0, limit)
          .flatMap((id) => parked.get(id) ?? []),
      async remove(_ref, ids) {
        for (const id of ids) parked.delete(id);
      },
    },
    due: {
      async put(added) {
        for (const { id, dueAtMs, entry } of added) {
          const key = `${Math.floor(dueAtMs / 60_000)} ${id}`;
          entries.set(key, { id: key, dueAtMs, entry, failures: 0, item: {} });
        }
      },
      async done({ id, dueAtMs }) {
        if (entries.get(id)?.dueAtMs === dueAtMs) entries.delete(id);
      },
      entries: async () => [...entries.values()],
    },
  };
};
