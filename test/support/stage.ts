import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../infra/local/local-database.ts';
import { createApiKeyStore, type NewApiKey } from '../../lib/api-keys/api-key-store.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { DEFAULT_LIMITS } from '../../lib/api-keys/limits.ts';
import { createDocumentClient } from '../../lib/dynamodb.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { type ServiceProcess, startService } from './processes.ts';

/** A stage that runs as a process of its own, with what a test needs to speak to it. */
export interface TestStage extends ServiceProcess, HttpClient {
  /** The id of an available fixed-price product of the first demo store. */
  readonly productId: string;

  /** Issues a key: of the first demo store and default limits, in test mode, unless told otherwise. */
  givenKey(changes?: Partial<NewApiKey>): Promise<string>;
}

/** How a stage that was started by {@link SERVICE_WITH_CLOCK} tells the time. */
export type ClockSetting =
  /** The clock runs, so much ahead of the machine's. */
  | { readonly offsetMs: number }
  /** The clock stands. */
  | { readonly standsAtMs: number };

/** The stage's own program, but for a clock that {@link setClock} sets. */
export const SERVICE_WITH_CLOCK = 'test/support/service-with-clock.ts';

const keyIssuer = (dynamodbEndpoint: string, storeId: string): TestStage['givenKey'] => {
  const documents = createDocumentClient(localClientConfig(dynamodbEndpoint));
  const apiKeys = createApiKeyStore(documents, LOCAL_TABLE_NAMES.apiKeys);
  return async (changes = {}) => {
    const mode = changes.mode ?? 'test';
    const key = {
      secret: generateApiKey(mode),
      storeId,
      mode,
      ...DEFAULT_LIMITS,
      nowMs: Date.now(),
      ...changes,
    };
    await apiKeys.issue(key);
    return key.secret;
  };
};

/** Starts a stage; `stopProcesses` in the file's `afterAll` ends it. Without flags, on a database in memory. */
export const givenStage = async (flags?: readonly string[], file?: string): Promise<TestStage> => {
  const service = await startService(flags, file);
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

/** Starts two stages, on the database of the first, each with a clock that can be set. */
export const givenTwoStages = async (): Promise<[TestStage, TestStage]> => {
  const first = await givenStage(undefined, SERVICE_WITH_CLOCK);
  return [first, await givenStage(['--dynamodb', first.dynamodbEndpoint], SERVICE_WITH_CLOCK)];
};

/** Sets the clock of a stage that {@link SERVICE_WITH_CLOCK} started; on return it holds. */
export const setClock = async (
  { child }: { readonly child: ChildProcess },
  clock: ClockSetting,
): Promise<void> => {
  const isSet = once(child, 'message');
  child.send(clock);
  await isSet;
};
