import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local-access/local-names.ts';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { DEFAULT_LIMITS } from '../../../lib/api-keys/key-limits.ts';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { createApiKeyRepository, type NewApiKey } from '../../../lib/operators/api-key-repository.ts';
import { atFileEnd } from '../run/file-end.ts';
import { createHttpClient, type HttpClient } from '../service/http-client.ts';
import { givenHostileSettings } from './hostile-settings.ts';
import { keepRunning, type ServiceProcess, startService } from './processes.ts';

/** A stage in its own process, with a client. */
export interface TestStage extends ServiceProcess, HttpClient {
  /** The id of an available fixed-price product of the first demo store. */
  readonly productId: string;

  /** Issues a key. By default, it is a test key of the first demo store with the default limits. */
  givenKey(changes?: Partial<NewApiKey>): Promise<string>;
}

/** The clock of a stage that {@link SERVICE_WITH_CLOCK} started. */
export type ClockSetting =
  /** The clock runs, ahead of the machine's by this much. */
  | { readonly offsetMs: number }
  /** The time stands. */
  | { readonly standsAtMs: number };

/** The stage's program, with a clock that {@link setClock} sets. */
export const SERVICE_WITH_CLOCK = 'test/support/programs/service-with-clock.ts';

const keyIssuer = (dynamodbEndpoint: string, storeId: string): TestStage['givenKey'] => {
  const documents = createDocumentClient(localClientConfig(dynamodbEndpoint));
  const apiKeys = createApiKeyRepository(documents, LOCAL_TABLE_NAMES.apiKeys);
  return async (changes = {}) => {
    const mode = changes.mode ?? 'test';
    const key = {
      keyText: generateApiKey(mode),
      storeId,
      mode,
      ...DEFAULT_LIMITS,
      nowMs: Date.now(),
      ...changes,
    };
    await apiKeys.issue(key);
    return key.keyText;
  };
};

/** Starts a stage, by default on a database in memory. End it by `stopProcesses` in `afterAll`. */
export const givenStage = async (...options: Parameters<typeof startService>): Promise<TestStage> => {
  const service = await startService(...options);
  const [store] = service.stores;
  const product = store?.products.find(({ pricing, available }) => pricing === 'fixed' && available);
  if (!store || !product) throw new Error('The stage has no demo store with a fixed-price product');
  return {
    ...service,
    ...createHttpClient(service.baseUrl),
    productId: product.id,
    givenKey: keyIssuer(service.dynamodbEndpoint, store.id),
  };
};

/** Where the buyers of live carts pay on the stage of {@link givenSharedStage}. */
export const SHARED_CHECKOUT_URL = 'https://pay.example.test/checkout';

const CHECKOUT = ['--checkout-url', `${SHARED_CHECKOUT_URL}/`];

let shared: Promise<TestStage> | undefined;

const startShared = async (): Promise<TestStage> => {
  const flags = ['--data', 'memory', ...CHECKOUT];
  const stage = await givenStage(flags, SERVICE_WITH_CLOCK, givenHostileSettings());
  keepRunning(stage.child);
  return stage;
};

/**
 * The stage that the test files of this process share, which is ready in a second. Its stores have carts and events of other
 * tests. It inherits hostile settings of AWS, which it must ignore. It ends with this process.
 */
export const givenSharedStage = (): Promise<TestStage> => (shared ??= startShared());

/** Sets the clock of a stage that {@link SERVICE_WITH_CLOCK} started, and waits until it is set. */
export const setClock = async (
  { child }: { readonly child: ChildProcess },
  clock: ClockSetting,
): Promise<void> => {
  const isSet = once(child, 'message');
  child.send(clock);
  await isSet;
};

/**
 * The stage that the test files share, and another one on its database. The test can set both clocks. At the end of the file,
 * the first one runs again.
 */
export const givenTwoStages = async (): Promise<[TestStage, TestStage]> => {
  const first = await givenSharedStage();
  atFileEnd(() => setClock(first, { offsetMs: 0 }));
  const flags = ['--dynamodb', first.dynamodbEndpoint, ...CHECKOUT];
  return [first, await givenStage(flags, SERVICE_WITH_CLOCK)];
};
