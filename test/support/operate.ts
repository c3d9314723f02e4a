import { PassThrough, Writable } from 'node:stream';
import { expect, inject, vi } from 'vitest';
import { operate as operateOn } from '../../infra/operate/program.ts';
import type { Clock } from '../../lib/clock.ts';
import { startCloudFormation } from './cloudformation-stand-in.ts';
import type { TestDatabase } from './database.ts';
import { appendToLogFile } from './log-files.ts';
import type { Ended } from './processes.ts';
import { givenService } from './service.ts';

/** What a command finds in place of a process's streams and clock. */
export interface OperateOptions {
  readonly now?: Clock;
  /** Makes every stream a terminal, on which the operator types this. */
  readonly typed?: string;
  /** The code of the error with which standard output rejects every write. */
  readonly outputError?: string | undefined;
}

/** A stream that collects its text, unless every write fails. */
const collector = (isTTY: boolean, errorCode?: string) => {
  let collected = '';
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      if (errorCode !== undefined) return done(Object.assign(new Error('failed'), { code: errorCode }));
      collected += chunk;
      return done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => collected };
};

/** Runs the operators' command line in this process. Its standard error joins the run's log lines. */
export const operate = async (
  args: readonly string[],
  { now = Date.now, typed, outputError }: OperateOptions = {},
): Promise<Ended> => {
  const isTTY = typed !== undefined;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  stdin.end(typed);
  const stdout = collector(isTTY, outputError);
  const stderr = collector(isTTY);
  const exitCode = await operateOn(args, { stdin, stdout: stdout.stream, stderr: stderr.stream, now });
  appendToLogFile(stderr.text());
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
};

/** An AWS account on this machine. Nothing of the developer's configuration is read. */
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

/** Deploys tables of the run's emulator as the stage `one`, in an AWS account of this test file. */
export const givenOperatedTables = async (
  { apiKeys, products, carts }: TestDatabase['tableNames'],
  now: Clock = Date.now,
) => {
  const cloudFormation = await startCloudFormation();
  const dynamodbEndpoint = inject('dynamodbEndpoint');
  const outputs = { ApiKeysTable: apiKeys, ProductsTable: products, CartsTable: carts };
  cloudFormation.stacks.set('CartCheckout-one', { status: 'UPDATE_COMPLETE', outputs });
  const environment = {
    ...ENVIRONMENT,
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);

  const run = (args: readonly string[], options: OperateOptions = {}): Promise<Ended> =>
    operate([...args, '--stage', 'one'], { now, ...options });
  return {
    cloudFormation,
    outputs,
    dynamodbEndpoint,
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

/** Deploys the service of this process as the stage `one`. Commands and requests share its clock. */
export const givenOperatedService = async () => {
  const service = await givenService();
  return { ...service, ...(await givenOperatedTables(service.tableNames, service.clock.now)) };
};

export type OperatedService = Awaited<ReturnType<typeof givenOperatedService>>;
