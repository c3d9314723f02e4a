import { randomBytes } from 'node:crypto';
import { createApiKeyStore } from '../../lib/api-keys/api-key-store.ts';
import { createDocumentClient } from '../../lib/dynamodb.ts';
import { ENV_NAMES } from '../../lib/env-names.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { createProductStore } from '../../lib/products/product-store.ts';
import { HTTP_FUNCTIONS, ROUTES, SANDBOX_CHECKOUT_PATH } from '../../functions/operations.ts';
import { CART_LIFETIME } from '../stages.ts';
import { CART_EVENT_SOURCE, STATUS_CHANGED, type StatusChanged } from '../status-changed-event.ts';
import { seedDemoStores } from './demo-stores.ts';
import { docsPage } from './docs-pages.ts';
import { startEmbeddedDynamodb } from './embedded-dynamodb.ts';
import { type RunningGateway, startGateway } from './gateway/gateway.ts';
import { loadHandlers } from './handlers.ts';
import { inTurn, limitInvocations } from './invocations.ts';
import { createTables, LOCAL_TABLE_NAMES, localClientConfig } from './local-database.ts';
import { watchStatusChanges } from './status-changes.ts';

export interface LocalStageOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The embedded database's file, or `memory`. */
  readonly data: string;
  /** A DynamoDB to use instead of the embedded one. */
  readonly dynamodbUrl?: string | undefined;
  /** Where the buyers of live carts pay. */
  readonly checkoutUrl: string;
}

export interface LocalStage {
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
  /** Settles if the embedded database ends by itself. With a database that the user runs, it never settles. */
  readonly databaseLost: Promise<unknown>;
  /** Waits for requests in flight, then stops the database. */
  close(): Promise<void>;
}

/** The functions' environment: the defaults of a deployed stage, and local names. */
const environmentOf = (
  dynamodbEndpoint: string,
  baseUrl: string,
  checkoutUrl: string,
): Record<string, string> => {
  const { region, credentials } = localClientConfig(dynamodbEndpoint);
  return {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    [ENV_NAMES.stageName]: 'local',
    [ENV_NAMES.apiKeysTable]: LOCAL_TABLE_NAMES.apiKeys,
    [ENV_NAMES.productsTable]: LOCAL_TABLE_NAMES.products,
    [ENV_NAMES.cartsTable]: LOCAL_TABLE_NAMES.carts,
    [ENV_NAMES.testCartsTable]: LOCAL_TABLE_NAMES.testCarts,
    [ENV_NAMES.secretsTable]: LOCAL_TABLE_NAMES.secrets,
    [ENV_NAMES.liveCheckoutUrl]: checkoutUrl,
    [ENV_NAMES.sandboxCheckoutUrl]: `${baseUrl}${SANDBOX_CHECKOUT_PATH}`,
    [ENV_NAMES.cartExpirySeconds]: String(CART_LIFETIME.expirySeconds),
    [ENV_NAMES.cartRetentionSeconds]: String(CART_LIFETIME.retentionSeconds),
    [ENV_NAMES.sourceHashKey]: randomBytes(32).toString('hex'),
  };
};

/** Variables of a developer's AWS account that the SDK would prefer to {@link environmentOf}. */
const FOREIGN_VARIABLES = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'];

const prepareDatabase = async (endpoint: string): Promise<void> => {
  const documents = createDocumentClient(localClientConfig(endpoint));
  await createTables(documents);
  await seedDemoStores(
    createApiKeyStore(documents, LOCAL_TABLE_NAMES.apiKeys),
    createProductStore(documents, LOCAL_TABLE_NAMES.products),
    Date.now(),
  );
  documents.destroy();
};

/** Serves the functions on a database. They load after the gateway has its address, which their environment needs. */
const serveFunctions = async (
  { port, checkoutUrl }: LocalStageOptions,
  dynamodbEndpoint: string,
): Promise<RunningGateway> => {
  const functionNames = HTTP_FUNCTIONS.map(({ name }) => name);
  const loaded = Promise.withResolvers<Readonly<Record<string, ProxyFunction>>>();
  const limited = limitInvocations();
  const handlers = functionNames.map((name): [string, ProxyFunction] => [
    name,
    inTurn(limited, async () => (await loaded.promise)[name] as ProxyFunction),
  ]);
  const gateway = await startGateway({
    routes: ROUTES,
    handlers: Object.fromEntries(handlers),
    pages: docsPage,
    port,
  });
  try {
    for (const name of FOREIGN_VARIABLES) delete process.env[name];
    Object.assign(process.env, environmentOf(dynamodbEndpoint, gateway.baseUrl, checkoutUrl));
    loaded.resolve(loadHandlers(functionNames));
    await loaded.promise;
    return gateway;
  } catch (error) {
    await gateway.close();
    throw error;
  }
};

/** Prints an event as a deployed stage sends it, on standard error like the functions' logs. */
const printEvent = (detail: StatusChanged): void => {
  const event = { source: CART_EVENT_SOURCE, 'detail-type': STATUS_CHANGED, detail };
  process.stderr.write(`${JSON.stringify(event)}\n`);
};

/**
 * Starts the whole service on this machine: the real functions, behind a local API Gateway, on an embedded DynamoDB.
 * A process can start it once, because functions read the environment once.
 *
 * @throws OperatorError if the port is in use, or if the database does not start or does not fit
 */
export const startLocalStage = async (options: LocalStageOptions): Promise<LocalStage> => {
  const database =
    options.dynamodbUrl === undefined
      ? await startEmbeddedDynamodb({ data: options.data })
      : // The stage neither ends nor watches a database that the user runs.
        { endpoint: options.dynamodbUrl, exited: new Promise<never>(() => {}), close: async () => {} };
  let endWatch: (() => void) | undefined;
  try {
    await prepareDatabase(database.endpoint);
    endWatch = watchStatusChanges(printEvent);
    const gateway = await serveFunctions(options, database.endpoint);
    return {
      baseUrl: gateway.baseUrl,
      dynamodbEndpoint: database.endpoint,
      databaseLost: database.exited,
      close: async () => {
        await gateway.close();
        endWatch?.();
        await database.close();
      },
    };
  } catch (error) {
    endWatch?.();
    await database.close();
    throw error;
  }
};
