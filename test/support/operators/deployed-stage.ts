import { expect, inject, vi } from 'vitest';
import { queueOutputs } from '../../../infra/stage/queues.ts';
import { type Release, UNKNOWN } from '../../../infra/stage/release.ts';
import { stageConfig } from '../../../infra/stage/stage-config.ts';
import { stageValues } from '../../../infra/stage/stage-values.ts';
import { tableOutputOf } from '../../../infra/stage/tables.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { TABLE_KINDS } from '../../../lib/database/tables.ts';
import type { ApiResponse } from '../contract/contract.ts';
import type { TestDatabase } from '../database/database.ts';
import { cartBody } from '../domain/cart-body.ts';
import { STORE_ID } from '../functions/dependencies.ts';
import type { Ended } from '../programs/processes.ts';
import { givenService } from '../service/service.ts';
import { startAws } from './aws-stand-in.ts';
import { operate, type OperateOptions } from './operate.ts';
import { withDefaults } from './with-defaults.ts';

/** A command on a stand-in for an AWS account. */
export interface DeployedOptions extends OperateOptions {
  readonly stage?: string;
  /** Changes of the account's environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The variables of an AWS account on this machine. No command reads the developer's configuration. */
const ENVIRONMENT = {
  FORCE_COLOR: undefined,
  AWS_ENDPOINT_URL: '',
  AWS_REGION: 'eu-west-1',
  AWS_DEFAULT_REGION: '',
  AWS_PROFILE: '',
  AWS_WEB_IDENTITY_TOKEN_FILE: '',
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '',
  AWS_CONTAINER_CREDENTIALS_FULL_URI: '',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_SESSION_TOKEN: '',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** The audit log of the stage `one`. */
const AUDIT_LOG_GROUP = 'audit-one';

/** The release of the stage `one`. Nobody knows its commit, so no command compares it with its own. */
const RELEASE: Release = { version: '1.0.0', commit: UNKNOWN, committedAt: UNKNOWN, deployer: 'ada' };

/** The outputs of the stage `one` besides its tables. */
export const BUS_AND_QUEUES = {
  AuditLogGroup: AUDIT_LOG_GROUP,
  EventBusName: 'bus-one',
  PaymentSource: 'payments',
  ...queueOutputs((name) => `https://sqs.eu-west-1.amazonaws.com/123456789012/${name}`),
};

/** Presents tables of the run's emulator as the deployed stage `one`, with a stand-in for its AWS account. */
export const givenOperatedTables = async (tableNames: TestDatabase['tableNames'], now: Clock = Date.now) => {
  const aws = await startAws();
  const { cloudFormation } = aws;
  const dynamodbEndpoint = inject('dynamodbEndpoint');
  const outputs = {
    ...Object.fromEntries(TABLE_KINDS.map((kind) => [tableOutputOf(kind), tableNames[kind]])),
    ...BUS_AND_QUEUES,
    PersonalDataDays: '730',
    KeyRequestsPerSecondMax: '1000000',
    KeyRequestsAtOnceMax: '1000000',
    StageValues: JSON.stringify(stageValues({ stage: 'one' }, stageConfig({ stage: 'one' }))),
    Release: JSON.stringify(RELEASE),
  };
  cloudFormation.stacks.set('CartCheckout-one', { status: 'UPDATE_COMPLETE', outputs });
  const environment = {
    ...ENVIRONMENT,
    AWS_ENDPOINT_URL_CLOUDFORMATION: aws.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    AWS_ENDPOINT_URL_SQS: aws.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: aws.endpoint,
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: aws.endpoint,
    AWS_ENDPOINT_URL_STS: aws.endpoint,
  };
  const run = (args: readonly string[], options: DeployedOptions = {}): Promise<Ended> => {
    const { stage = 'one', environment: changes, ...others } = options;
    // Vitest removes stubs before each test.
    for (const [name, value] of Object.entries({ ...environment, ...changes })) vi.stubEnv(name, value);
    return operate([...args, '--stage', stage], { now, ...others });
  };
  return {
    cloudFormation,
    aws,
    outputs,
    dynamodbEndpoint,
    /** Ends the account. Return it from `beforeAll`. */
    close: async (): Promise<void> => {
      vi.unstubAllEnvs();
      await aws.close();
    },
    /** Runs a command on the stage. */
    run,
    /** Runs a command that succeeds, and returns its line of JSON. */
    runJson: async <Result = Record<string, string>>(...args: readonly string[]): Promise<Result> => {
      const { exitCode, stdout, stderr } = await run([...args, '--json']);
      expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(/^[^\n]+\n$/);
      return JSON.parse(stdout) as Result;
    },
  };
};

/** A key in the JSON. */
export type KeyLine = { readonly apiKey: string; readonly keyId: string } & Readonly<Record<string, unknown>>;

/** Presents the service of this process as the deployed stage `one`. Commands and requests share its clock. */
export const givenOperatedService = async () => {
  const service = await givenService(TABLE_KINDS);
  const tables = await givenOperatedTables(service.tableNames, service.clock.now);
  const productId = await service.givenProduct();
  /** Stores the record of a store if it is missing. */
  const givenStore = async (id: string): Promise<string> => {
    await service.stores.putIfMissing({ id, name: id, createdAtMs: service.clock.now() });
    return id;
  };
  await givenStore(STORE_ID);
  return {
    ...service,
    ...tables,
    givenStore,
    /** Issues a key by the command, for the default store unless the flags name another. Adds the store if it is missing. */
    issueKey: async (...flags: readonly string[]): Promise<KeyLine> => {
      const index = flags.indexOf('--store');
      if (index !== -1) await givenStore(flags[index + 1]!);
      return tables.runJson('keys', 'issue', ...withDefaults({ '--store': STORE_ID }, flags));
    },
    /** The keys of a store, or of every store. */
    listKeys: async (store?: string): Promise<KeyLine[]> => {
      const flags = store === undefined ? [] : ['--store', store];
      return (await tables.runJson<{ keys: KeyLine[] }>('keys', 'list', ...flags)).keys;
    },
    /** Creates a cart of a product of the default store. */
    order: (apiKey: string): Promise<ApiResponse> => service.createCart(cartBody(productId), { apiKey }),
  };
};

export type OperatedService = Awaited<ReturnType<typeof givenOperatedService>>;
