import type { Documents } from '../../../../lib/database/documents.ts';
import { logKey } from '../../../../lib/events/logged-event.ts';
import { SERVICE_WITH_CLOCK } from '../../../support/programs/stage.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/http/webhook-receiver.ts';
import { startWorld, type World } from '../world/world.ts';
import { type Plan, LOGS } from './plan.ts';
import { createSimulatedClock, type SimulatedClock } from './simulated-clock.ts';
import { createEndpoint, issueKey, type LoadEndpoint, storeCarts } from './stored.ts';

/** Two service processes, a database and a receiver, with endpoints, keys and the carts of all plans. */
export interface EventsWorld extends World {
  readonly receiver: WebhookReceiver;
  readonly clock: SimulatedClock;
  readonly endpoints: readonly LoadEndpoint[];
  /** The API key of a log, by its {@link logKey}. */
  readonly keys: ReadonlyMap<string, string>;
}

const createEndpoints = async (
  documents: Documents,
  urlOf: (endpointId: string) => string,
): Promise<readonly LoadEndpoint[]> => {
  const [one, two, live] = LOGS as [(typeof LOGS)[0], (typeof LOGS)[0], (typeof LOGS)[0]];
  return Promise.all([
    createEndpoint(documents, one, urlOf),
    createEndpoint(documents, one, urlOf, ['cart.abandoned', 'cart.duplicate_payment']),
    createEndpoint(documents, two, urlOf),
    createEndpoint(documents, live, urlOf),
  ]);
};

/** Starts the world of the events' part. `cleanUp` ends its processes. */
export const startEventsWorld = async (
  cleanUp: AsyncDisposableStack,
  plans: readonly Plan[],
): Promise<EventsWorld> => {
  const clock = createSimulatedClock();
  const world = await startWorld(cleanUp, SERVICE_WITH_CLOCK, clock.environment);
  const { documents } = world;
  const receiver = await startWebhookReceiver();
  cleanUp.defer(() => receiver.close());
  const urlOf = (endpointId: string): string => new URL(endpointId, receiver.url).href;
  const endpoints = await createEndpoints(documents, urlOf);
  const keys = new Map<string, string>();
  for (const log of LOGS) keys.set(logKey(log), await issueKey(documents, log, Date.now()));
  await storeCarts(
    documents,
    plans.map(({ cart }) => cart),
  );
  return { ...world, receiver, clock, endpoints, keys };
};
