import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { newEndpoint, storeEndpoint } from '../../../support/domain/endpoints.ts';
import { startWebhookReceiver } from '../../../support/http/webhook-receiver.ts';
import { SERVICE_WITH_CLOCK, setClock } from '../../../support/programs/stage-process.ts';
import { startEnvironment } from '../environment/environment.ts';

/** The clock of process 1 is ahead of that of process 0 by this much. */
const SKEW_MS = 2_000;

/** The store whose carts are paid. */
export const LOG = { storeId: DEMO_STORES[0].id, mode: 'test' } as const;

/** Starts an environment with a receiver of the store's webhooks. `cleanUp` ends its processes. */
export const startPaymentsEnvironment = async (cleanUp: AsyncDisposableStack) => {
  let offsetMs = 0;
  const offsetOf = (stage: number): number => offsetMs + stage * SKEW_MS;
  const environment = await startEnvironment(cleanUp, SERVICE_WITH_CLOCK, (stage) => ({
    CLOCK_OFFSET_MS: String(offsetOf(stage)),
  }));
  const receiver = await startWebhookReceiver();
  cleanUp.defer(() => receiver.close());
  const endpoint = newEndpoint({ ...LOG, url: receiver.url, createdAtMs: Date.now() });
  await storeEndpoint({ documents: environment.documents, tableNames: LOCAL_TABLE_NAMES }, endpoint);
  return {
    ...environment,
    receiver,
    /** Lets the clocks of all service processes jump ahead. They must run. */
    advance: async (byMs: number): Promise<void> => {
      offsetMs += byMs;
      await Promise.all(
        environment.stages.map((stage, index) => setClock(stage, { offsetMs: offsetOf(index) })),
      );
    },
  };
};

export type PaymentsEnvironment = Awaited<ReturnType<typeof startPaymentsEnvironment>>;
