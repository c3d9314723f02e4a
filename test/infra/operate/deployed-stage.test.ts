import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { safeStageName } from '../../../infra/stages.ts';
import { givenDeadAddress, givenSilentAddress } from '../../support/addresses.ts';
import { type CloudFormationStandIn, startCloudFormation } from '../../support/cloudformation-stand-in.ts';
import { givenDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSentence } from '../../support/expect-sentence.ts';
import { type Ended, run, stopProcesses } from '../../support/processes.ts';

const BOUND_MS = 10_000;

let cloudFormation: CloudFormationStandIn;
let database: TestDatabase;
let outputs: Record<string, string>;

beforeAll(async () => {
  cloudFormation = await startCloudFormation();
  database = await givenDatabase();
  const { apiKeys, products, carts } = database.tableNames;
  outputs = { ApiKeysTable: apiKeys, ProductsTable: products, CartsTable: carts };
});

afterAll(async () => {
  await stopProcesses();
  await cloudFormation.close();
});

beforeEach(() => {
  cloudFormation.refuse(undefined);
  cloudFormation.stacks.clear();
  cloudFormation.stacks.set('CartCheckout-one', { status: 'UPDATE_COMPLETE', outputs });
});

/** An AWS account that is all on this machine: nothing of the developer's own is read. */
const account = (): Record<string, string> => ({
  AWS_ENDPOINT_URL: '',
  AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.endpoint,
  AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
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
});

const issueKey = (stage: string, env: Record<string, string> = {}): Promise<Ended> =>
  run('infra/operate/main.ts', ['keys', 'issue', '--store', 'shop', '--stage', stage, '--json'], {
    ...account(),
    ...env,
  }).ended;

describe('--stage', () => {
  test('works on the tables that the outputs of its stack name', async () => {
    const { exitCode, stdout, stderr } = await issueKey('one');

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { keyId } = JSON.parse(stdout) as { keyId: string };
    const { Item } = await database.documents.send(
      new GetCommand({ TableName: outputs['ApiKeysTable'], Key: { keyId } }),
    );
    expect(Item).toMatchObject({ keyId, storeId: 'shop' });
  });

  test("takes a branch's name as a deployment does", async () => {
    const branch = 'feature/Pay-Later';
    cloudFormation.stacks.set(`CartCheckout-${safeStageName(branch)}`, {
      status: 'CREATE_COMPLETE',
      outputs,
    });

    expect((await issueKey(branch)).exitCode).toBe(0);
  });

  test('and --dynamodb exclude each other: exit code 2', async () => {
    const flags = ['--store', 's', '--stage', 'one', '--dynamodb', database.endpoint];

    const ended = await run('infra/operate/main.ts', ['keys', 'issue', ...flags], account()).ended;

    expect(ended.exitCode).toBe(2);
    expectSentence(ended, /--stage .*--dynamodb/);
  });
});

describe('a stage that cannot be worked on is told in one sentence', () => {
  test('one that is not deployed, with how to deploy it', async () => {
    const ended = await issueKey('two');

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /The stage two is not deployed in eu-west-1: .*cdk deploy -c stage=two/);
  });

  test.each(['DELETE_IN_PROGRESS', 'DELETE_FAILED'])('one that is being deleted: %s', async (status) => {
    cloudFormation.stacks.set('CartCheckout-one', { status, outputs });

    const ended = await issueKey('one');

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /The stage one is being deleted/);
  });

  test.each(['ApiKeysTable', 'ProductsTable', 'CartsTable'])('one without the output %s', async (name) => {
    const { [name]: _, ...others } = outputs;
    cloudFormation.stacks.set('CartCheckout-one', { status: 'CREATE_IN_PROGRESS', outputs: others });

    const ended = await issueKey('one');

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, new RegExp(`no output ${name}.*cdk deploy -c stage=one`));
  });

  test('one whose tables were deleted', async () => {
    const gone = { ...outputs, ApiKeysTable: 'gone' };
    cloudFormation.stacks.set('CartCheckout-one', { status: 'UPDATE_COMPLETE', outputs: gone });

    const ended = await issueKey('one');

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /no tables/);
  });
});

describe('an AWS account that cannot be asked is told in one sentence', () => {
  test.each<[string, RegExp, Record<string, string>]>([
    ['no region', /No AWS region.*AWS_REGION/, { AWS_REGION: '' }],
    ['no credentials', /No AWS credentials.*AWS_PROFILE/, { AWS_ACCESS_KEY_ID: '' }],
    ['a profile that does not exist', /No AWS credentials/, { AWS_PROFILE: 'none', AWS_ACCESS_KEY_ID: '' }],
  ])('%s', async (_what, words, env) => {
    const ended = await issueKey('one', env);

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, words);
  });

  test.each([
    [
      'credentials that have expired',
      /refuses these credentials/,
      403,
      'ExpiredToken',
      'The token is expired',
    ],
    ['unknown credentials', /refuses these credentials/, 403, 'InvalidClientTokenId', 'The token is invalid'],
    ['credentials without the permission', /DescribeStacks/, 403, 'AccessDenied', 'Not authorized'],
    ['anything else', /CloudFormation answered Odd: It is so/, 400, 'Odd', 'It\nis so'],
  ])('%s', async (_what, words, httpStatus, code, message) => {
    cloudFormation.refuse({ httpStatus, code, message });

    const ended = await issueKey('one');

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, words);
  });

  test.each<[string, () => Promise<string>]>([
    ['no CloudFormation', givenDeadAddress],
    ['a CloudFormation that never answers', givenSilentAddress],
  ])('%s, in bounded time', { timeout: BOUND_MS }, async (_what, address) => {
    const ended = await issueKey('one', { AWS_ENDPOINT_URL_CLOUDFORMATION: await address() });

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /CloudFormation does not answer/);
  });
});
