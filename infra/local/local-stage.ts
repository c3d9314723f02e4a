import { HTTP_FUNCTION_NAMES } from '../../functions/function-needs.ts';
import { ALL_OPERATIONS } from '../../functions/operations.ts';
import { createDocumentClient } from '../../lib/aws/clients.ts';
import type { DocumentClient } from '../../lib/database/documents.ts';
import { createSender } from '../../lib/deliveries/sending/send.ts';
import { createSecretRepository } from '../../lib/endpoints/secret-repository.ts';
import { createOperatorEndpointRepository } from '../../lib/operators/operator-endpoint-repository.ts';
import { hideAwsSettings } from '../local-access/aws-settings.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../local-access/local-names.ts';
import { sayLines } from '../terminal/terminal.ts';
import { startAwsEndpoint } from './aws/aws-endpoint.ts';
import { createEventPaths } from './aws/event-paths.ts';
import { EVENT_PATH_FUNCTIONS, type EventHandlers, observeRecorders } from './aws/invoke-functions.ts';
import { CHECK_ROUTE, type Checks, createEndpointCheck } from './checklist/endpoint-check.ts';
import { openChecklist } from './checklist/stored-checklist.ts';
import { type CleanUp, createCleanUp } from './clean-up.ts';
import { explainDataFile } from './database/data-file.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from './database/embedded-dynamodb.ts';
import {
  createFirstClient,
  createTables,
  LOCAL_STATE_TABLE,
  type StageTables,
} from './database/local-tables.ts';
import { ensureDemoWebhooks } from './demo/demo-webhooks.ts';
import type { StageAddresses } from './demo/ready-message.ts';
import { createReceiver, ensureReceiver, RECEIVER_ROUTE } from './demo/receiver.ts';
import { seedDemoStores } from './demo/seed-demo-stores.ts';
import { environmentOf } from './environment.ts';
import { type Handlers, type RunningGateway, startGateway } from './gateway/gateway.ts';
import { loadHandlers } from './gateway/invocation.ts';
import { formActions } from './pages/form-actions.ts';
import { unknownPage } from './pages/parts/html-page.ts';
import { stagePages } from './pages/stage-pages.ts';
import { createRequestLog, type LoggedRequest } from './requests/request-log.ts';

export interface LocalStageOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The embedded database's file, or `memory`. */
  readonly data: string;
  /** A DynamoDB to use instead of the embedded one. */
  readonly dynamodb?: string | undefined;
  /** Where the buyers of live carts pay. */
  readonly checkoutUrl: string;
  /** An address that receives the test events of the demo stores. */
  readonly webhook?: string | undefined;
  /** Whether the demo stores send their carts' events to the receiver of the stage. */
  readonly receiver: boolean;
  /** Whether programs in containers may call the stage as `host.docker.internal`. */
  readonly containers?: boolean;
  /** Receives each request that got its response. */
  readonly onRequest?: ((request: LoggedRequest) => void) | undefined;
}

export interface LocalStage extends StageAddresses {
  /** Settles if the embedded database ends by itself. With a database that the user runs, it never settles. */
  readonly databaseLost: Promise<unknown>;
  /** Waits for requests in flight, then stops the database. */
  close(): Promise<void>;
}

/** Starts the database, or takes the one that the user runs. The stage neither ends nor watches that. */
const startDatabase = async ({ data, dynamodb }: LocalStageOptions): Promise<EmbeddedDynamodb> =>
  dynamodb === undefined
    ? startEmbeddedDynamodb({ data })
    : { endpoint: dynamodb, exited: new Promise<never>(() => {}), close: async () => {} };

/** Creates the tables. An embedded database gets time for its first responses, one of the user does not. */
const prepareTables = async (
  documents: DocumentClient,
  endpoint: string,
  isEmbedded: boolean,
): Promise<void> => {
  if (!isEmbedded) return createTables(documents);
  const first = createFirstClient(endpoint);
  await createTables(first).finally(() => first.destroy());
};

/** The progress of an integration: its completed steps, and the checks of its endpoints. */
const openIntegration = async (documents: DocumentClient) => ({
  checklist: await openChecklist(documents, LOCAL_STATE_TABLE.name, (error) => {
    sayLines(process.stderr, [`A step of the integration was not stored: ${String(error)}`]);
  }),
  checks: new Map() as Checks,
});

type Integration = Awaited<ReturnType<typeof openIntegration>>;

/** Loads the functions of all routes, with the built-in receiver and the check of endpoints. */
const loadHttpHandlers = async (
  documents: DocumentClient,
  { checklist, checks }: Integration,
): Promise<Handlers> => {
  const secrets = createSecretRepository(documents, LOCAL_TABLE_NAMES.secrets);
  return {
    ...((await loadHandlers(HTTP_FUNCTION_NAMES)) as Handlers),
    [RECEIVER_ROUTE.functionName]: createReceiver(secrets, Date.now),
    [CHECK_ROUTE.functionName]: createEndpointCheck({
      endpoints: createOperatorEndpointRepository(documents, LOCAL_TABLE_NAMES.webhookEndpoints),
      secrets,
      checks,
      send: createSender({ allowsLoopback: true }),
      now: Date.now,
      onPassed: checklist.verified,
    }),
  };
};

/** Starts the gateway, with the pages of the stage and the log of requests. */
const startStageGateway = (
  options: LocalStageOptions,
  tables: StageTables,
  integration: Integration,
  handlers: Promise<Handlers>,
): Promise<RunningGateway> => {
  const requests = createRequestLog();
  return startGateway({
    routes: [...ALL_OPERATIONS, RECEIVER_ROUTE, CHECK_ROUTE],
    handlers,
    pages: stagePages(tables, { requests, ...integration }, options),
    forms: formActions,
    unknownPage,
    port: options.port,
    containers: options.containers ?? false,
    onServed: (served) => {
      // The stage sent it itself.
      if (served.match?.route === RECEIVER_ROUTE) return;
      const request = requests.add(served);
      integration.checklist.observe(served);
      options.onRequest?.(request);
    },
  });
};

/** Starts the parts of a stage on its database. `cleanUp` ends them. */
const startParts = async (
  options: LocalStageOptions,
  dynamodb: string,
  cleanUp: CleanUp,
): Promise<StageAddresses> => {
  const { checkoutUrl, webhook, receiver } = options;
  // The functions have clients of their own, so that requests do not wait for the connections of this one.
  const documents = createDocumentClient(localClientConfig(dynamodb));
  cleanUp.defer(() => documents.destroy());
  const database = { documents, tableNames: LOCAL_TABLE_NAMES, now: Date.now };
  await prepareTables(documents, dynamodb, options.dynamodb === undefined);
  await seedDemoStores(database);
  const eventPaths = createEventPaths({
    ...database,
    localStateTable: LOCAL_STATE_TABLE.name,
    // The program decides where standard output leads.
    print: (line) => void process.stdout.write(`${line}\n`),
  });
  const aws = await startAwsEndpoint(dynamodb, eventPaths.actions);
  cleanUp.defer(() => aws.close());
  cleanUp.defer(() => eventPaths.close());
  const integration = await openIntegration(documents);
  const loaded = Promise.withResolvers<Handlers>();
  const gateway = await startStageGateway(options, database, integration, loaded.promise);
  cleanUp.defer(() => gateway.close());
  const { baseUrl } = gateway;
  await ensureReceiver(baseUrl, receiver, database);
  const webhooks = webhook === undefined ? [] : await ensureDemoWebhooks(webhook, baseUrl, database);
  Object.assign(process.env, environmentOf({ dynamodb, awsEndpoint: aws.url, baseUrl, checkoutUrl }));
  // The functions read the environment on import, and it needs the address of the gateway.
  const eventHandlers = (await loadHandlers(EVENT_PATH_FUNCTIONS)) as EventHandlers;
  const httpHandlers = await loadHttpHandlers(documents, integration);
  await eventPaths.start(observeRecorders(eventHandlers, eventPaths.passEvents));
  loaded.resolve(observeRecorders(httpHandlers, eventPaths.passEvents));
  return { baseUrl, dynamodbEndpoint: aws.url, webhooks };
};

/**
 * Starts the whole service on this machine: the real functions, behind a local API Gateway, on an embedded DynamoDB.
 * A process can start it once, because functions read the environment once.
 *
 * @throws OperatorError if the port is in use, if the database does not start or does not fit, or if the address of the
 *   webhook is not allowed
 */
export const startLocalStage = async (options: LocalStageOptions): Promise<LocalStage> => {
  hideAwsSettings();
  const database = await startDatabase(options);
  const cleanUp = createCleanUp();
  cleanUp.defer(() => database.close());
  try {
    const parts = await startParts(options, database.endpoint, cleanUp);
    return { ...parts, databaseLost: database.exited, close: cleanUp.run };
  } catch (error) {
    await cleanUp.run();
    const failure = options.dynamodb === undefined && error instanceof Error ? error.message : '';
    throw explainDataFile(options.data, failure) ?? error;
  }
};
