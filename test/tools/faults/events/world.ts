import { localClientConfig } from '../../../../infra/local/local-database.ts';
import { createDocumentClient } from '../../../../lib/aws.ts';
import type { Documents } from '../../../../lib/core/documents.ts';
import { logKey } from '../../../../lib/events/store-event.ts';
import { SERVICE_WITH_CLOCK } from '../../../support/stage.ts';
import type { Random } from '../load/random.ts';
import { startWorld, type World } from '../world/world.ts';
import { type Plan, LOGS } from './plan.ts';
import { createReceiverProcess, type ReceiverProcess } from './receiver-process.ts';
import { createSimulatedClock, type SimulatedClock } from './simulated-clock.ts';
import { createEndpoint, issueKey, type LoadEndpoint, storeCarts } from './stored.ts';

/** Two service processes, a database and a receiver, with endpoints, keys and the carts of all plans. */
export interface EventsWorld {
  readonly world: World;
  readonly receiver: ReceiverProcess;
  readonly clock: SimulatedClock;
  /** A client that bypasses the faulty network. */
  readonly documents: Documents;
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
  random: Random,
  plans: readonly Plan[],
): Promise<EventsWorld> => {
  const world = await startWorld(cleanUp, random.next, SERVICE_WITH_CLOCK);
  const receiver = await createReceiverProcess(world.folder);
  const documents = createDocumentClient(localClientConfig(world.database.endpoint));
  cleanUp.defer(() => documents.destroy());
  const endpoints = await createEndpoints(documents, receiver.urlOf);
  const keys = new Map<string, string>();
  for (const log of LOGS) keys.set(logKey(log), await issueKey(documents, log, Date.now()));
  await storeCarts(
    documents,
    plans.map(({ cart }) => cart),
  );
  const clock = createSimulatedClock(world);
  // A process schedules the expiries of stored carts when it starts.
  await world.killStage(0);
  await world.restartStage(0, clock.environment());
  // The clocks of such processes stand until they are set.
  await clock.advance(0);
  return { world, receiver, clock, documents, endpoints, keys };
};
