import { randomBytes } from 'node:crypto';
import { createApiKeyStore } from '../../lib/api-keys/api-key-store.ts';
import { createDocumentClient } from '../../lib/aws.ts';
import type { Documents } from '../../lib/core/documents.ts';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import { processClock } from '../../lib/core/process-clock.ts';
import { createProductStore } from '../../lib/products/product-store.ts';
import { createStoreDirectory } from '../../lib/stores/store-directory.ts';
import { ERRORS_PATH, HTTP_FUNCTIONS, ROUTES, SANDBOX_CHECKOUT_PATH } from '../../functions/operations.ts';
import { CART_LIFETIME, PERSONAL_DATA_DAYS } from '../stages.ts';
import type { TableKind } from '../tables.ts';
import { seedDemoStores } from './demo-stores.ts';
import { type DemoWebhook, ensureDemoWebhooks } from './demo-webhooks.ts';
import { explainDataFile } from './data-file.ts';
import { startDynamodbCheck } from './dynamodb-check.ts';
import type { LocalEvents } from './events/local-events.ts';
import { startEmbeddedDynamodb } from './embedded-dynamodb.ts';
import { type Handlers, type RunningGateway, startGateway } from './gateway/gateway.ts';
import { loadHandlers } from './handlers.ts';
import { inTurn } from './invocations.ts';
import { BACKGROUND_AGENT, createTables, LOCAL_TABLE_NAMES, localClientConfig } from './local-database.ts';
import { stagePages } from './pages/stage-pages.ts';
import { createRequestLog, type LoggedRequest } from './request-log.ts';

export interface LocalStageOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The embedded database's file, or `memory`. */
  readonly data: string;
  /** A DynamoDB to use instead of the embedded one. */
  readonly dynamodbUrl?: string | undefined;
  /** Where the buyers of live carts pay. */
  readonly checkoutUrl: string;
  /** An address that receives the test events of the demo stores. */
  readonly webhookUrl?: string | undefined;
  /** Receives each request that got its response. */
  readonly onRequest?: ((request: LoggedRequest) => void) | undefined;
}

export interface LocalStage {
  readonly baseUrl: string;
  /** Where another stage or the operators' command line finds the database. */
  readonly dynamodbEndpoint: string;
  /** Settles if the embedded database ends by itself. With a database that the user runs, it never settles. */
  readonly databaseLost: Promise<unknown>;
  /** The endpoints of `webhookUrl`. */
  readonly webhooks: readonly DemoWebhook[];
  /** Waits for requests in flight, then stops the database. */
  close(): Promise<void>;
}

const tableVariables = (tableNames: Readonly<Record<TableKind, string>>): Record<string, string> =>
  Object.fromEntries(
    (Object.keys(tableNames) as TableKind[]).map((kind) => [ENV_NAMES[`${kind}Table`], tableNames[kind]]),
  );

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
    ...tableVariables(LOCAL_TABLE_NAMES),
    [ENV_NAMES.liveCheckoutUrl]: checkoutUrl,
    [ENV_NAMES.sandboxCheckoutUrl]: `${baseUrl}${SANDBOX_CHECKOUT_PATH}`,
    [ENV_NAMES.errorsUrl]: `${baseUrl}${ERRORS_PATH}`,
    [ENV_NAMES.cartExpirySeconds]: String(CART_LIFETIME.expirySeconds),
    [ENV_NAMES.cartRetentionSeconds]: String(CART_LIFETIME.retentionSeconds),
    [ENV_NAMES.sourceHashKey]: randomBytes(32).toString('hex'),
  };
};

interface StageDatabase {
  /** For the functions. Calls to `sharedEndpoint` pass the check, which takes 0.3 ms at the median. */
  readonly endpoint: string;
  /** For other processes. */
  readonly sharedEndpoint: string;
  readonly exited: Promise<unknown>;
  close(): Promise<void>;
}

const startDatabase = async ({ data, dynamodbUrl }: LocalStageOptions): Promise<StageDatabase> => {
  if (dynamodbUrl !== undefined) {
    // The stage neither ends nor watches a database that the user runs.
    const exited = new Promise<never>(() => {});
    return { endpoint: dynamodbUrl, sharedEndpoint: dynamodbUrl, exited, close: async () => {} };
  }
  const database = await startEmbeddedDynamodb({ data });
  const check = await startDynamodbCheck(database.endpoint);
  return {
    endpoint: database.endpoint,
    sharedEndpoint: check.endpoint,
    exited: database.exited,
    close: async () => {
      await check.close();
      await database.close();
    },
  };
};

/** Creates the tables, the demo stores and the endpoints of `--webhook`. Returns these endpoints. */
const prepareDatabase = async (
  endpoint: string,
  { webhookUrl }: LocalStageOptions,
): Promise<readonly DemoWebhook[]> => {
  // These calls correct the clock before the first request.
  const documents = createDocumentClient(localClientConfig(endpoint), processClock);
  await createTables(documents);
  const apiKeys = createApiKeyStore(documents, LOCAL_TABLE_NAMES.apiKeys);
  const products = createProductStore(documents, LOCAL_TABLE_NAMES.products);
  const stores = createStoreDirectory(documents, LOCAL_TABLE_NAMES.stores);
  await seedDemoStores(apiKeys, products, stores, processClock.now());
  const webhooks =
    webhookUrl === undefined
      ? []
      : await ensureDemoWebhooks(webhookUrl, documents, LOCAL_TABLE_NAMES, processClock.now);
  documents.destroy();
  return webhooks;
};

const startEvents = async (
  { dynamodbUrl }: LocalStageOptions,
  documents: Documents,
): Promise<LocalEvents> => {
  // Its modules read the environment on import, like those of the functions.
  const { startLocalEvents } = await import('./events/local-events.ts');
  return startLocalEvents({
    documents,
    tableNames: LOCAL_TABLE_NAMES,
    ownsDatabase: dynamodbUrl === undefined,
    personalDataDays: PERSONAL_DATA_DAYS,
    // The program decides where standard output leads.
    print: (line) => void process.stdout.write(`${line}\n`),
    now: processClock.now,
  });
};

/**
 * Serves the functions on a database, with the work that their events cause. They load after the gateway has its address,
 * which their environment needs.
 */
const serveFunctions = async (
  options: LocalStageOptions,
  dynamodbEndpoint: string,
  documents: Documents,
): Promise<{ readonly gateway: RunningGateway; readonly events: LocalEvents }> => {
  const { port, checkoutUrl, onRequest } = options;
  const functionNames = HTTP_FUNCTIONS.map(({ name }) => name);
  const loaded = Promise.withResolvers<Handlers>();
  const requests = createRequestLog(processClock.now());
  const gateway = await startGateway({
    routes: ROUTES,
    handlers: loaded.promise,
    pages: stagePages(documents, requests, options),
    port,
    onServed: (served) => {
      const request = requests.add(served);
      onRequest?.(request);
    },
  });
  try {
    // A token of the developer's AWS account does not belong to the credentials of the stage.
    delete process.env['AWS_SESSION_TOKEN'];
    Object.assign(process.env, environmentOf(dynamodbEndpoint, gateway.baseUrl, checkoutUrl));
    const handlers = await loadHandlers(functionNames);
    const events = await startEvents(options, documents);
    // No request may change a cart before the stage follows the events.
    loaded.resolve(inTurn(handlers));
    return { gateway, events };
  } catch (error) {
    await gateway.close();
    throw error;
  }
};

/**
 * Starts the whole service on this machine: the real functions, behind a local API Gateway, on an embedded DynamoDB.
 * A process can start it once, because functions read the environment once.
 *
 * @throws OperatorError if the port is in use, if the database does not start or does not fit, or if the address of the
 *   webhook is not allowed
 */
export const startLocalStage = async (options: LocalStageOptions): Promise<LocalStage> => {
  const database = await startDatabase(options);
  // The background work has its own client, so that requests do not wait for its connections.
  const documents = createDocumentClient(
    { ...localClientConfig(database.endpoint), customUserAgent: BACKGROUND_AGENT },
    processClock,
  );
  try {
    const webhooks = await prepareDatabase(database.endpoint, options);
    const { gateway, events } = await serveFunctions(options, database.endpoint, documents);
    return {
      baseUrl: gateway.baseUrl,
      dynamodbEndpoint: database.sharedEndpoint,
      databaseLost: database.exited,
      webhooks,
      close: async () => {
        await gateway.close();
        await events.close();
        documents.destroy();
        await database.close();
      },
    };
  } catch (error) {
    documents.destroy();
    await database.close();
    const failure = options.dynamodbUrl === undefined && error instanceof Error ? error.message : '';
    throw explainDataFile(options.data, failure) ?? error;
  }
};
