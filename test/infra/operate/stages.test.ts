import { TABLE_KINDS, tableOutputOf } from '../../../infra/tables.ts';
import { afterAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { safeStageName } from '../../../infra/stages.ts';
import { createStoreDirectory } from '../../../lib/stores/store-directory.ts';
import { givenDeadAddress, givenSilentAddress } from '../../support/addresses.ts';
import { givenDatabase } from '../../support/database.ts';
import { expectFailure } from '../../support/expect-sentence.ts';
import { givenOperatedTables, operate } from '../../support/operate.ts';
import type { Ended } from '../../support/processes.ts';

const { documents, tableNames } = await givenDatabase();
const stage = await givenOperatedTables(tableNames);
await createStoreDirectory(documents, tableNames.stores).put({ id: 'shop', name: 'Shop', createdAtMs: 0 });

afterAll(stage.close);

const deployOne = (status: string, outputs: Record<string, string> = stage.outputs): void =>
  void stage.cloudFormation.stacks.set('CartCheckout-one', { status, outputs });

beforeEach(() => {
  stage.cloudFormation.reject(undefined);
  deployOne('UPDATE_COMPLETE');
});

const issueKey = (name = 'one', environment: Record<string, string> = {}): Promise<Ended> =>
  stage.run(['keys', 'issue', '--store', 'shop'], { stage: name, environment });

/** Awaits work, and expects that it waits no longer than this for its timers. Time passes only while it has a timer. */
const withinVirtualTime = async <Result>(limitMs: number, start: () => Promise<Result>): Promise<Result> => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = vi.fn();
  const result = start().finally(ended);
  for (let elapsedMs = 0; ended.mock.calls.length === 0;) {
    if (vi.getTimerCount() > 0) {
      await vi.advanceTimersByTimeAsync(100);
      elapsedMs += 100;
      expect(elapsedMs).toBeLessThanOrEqual(limitMs);
    }
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  }
  return result;
};

describe('--stage', () => {
  test("works on the tables of the stack's outputs, and accepts the name of a branch", async () => {
    const branch = 'feature/Pay-Later';
    const stack = { status: 'CREATE_COMPLETE', outputs: stage.outputs };
    stage.cloudFormation.stacks.set(`CartCheckout-${safeStageName(branch)}`, stack);
    const before = await stage.runJson<{ keys: object[] }>('keys', 'list');
    expect(await issueKey(branch)).toMatchObject({ exitCode: 0, stderr: '' });
    const after = await stage.runJson<{ keys: object[] }>('keys', 'list');
    expect(after.keys.length).toBe(before.keys.length + 1);
  });

  test('cannot be combined with --dynamodb', async () => {
    const flags = ['--store', 's', '--dynamodb', inject('dynamodbEndpoint')];
    expectFailure(await stage.run(['keys', 'issue', ...flags]), 2, /--stage .*--dynamodb/);
  });
});

describe('an unusable stage is reported in one sentence', () => {
  test('one that is not deployed, with how to deploy it', async () => {
    const words = /The stage two is not deployed in eu-west-1: .*npm run deploy -- -c stage=two/;
    expectFailure(await issueKey('two'), 1, words);
  });

  test.each(TABLE_KINDS.map(tableOutputOf))('one without the output %s', async (name) => {
    const { [name]: _, ...others } = stage.outputs as Record<string, string>;
    deployOne('CREATE_IN_PROGRESS', others);
    expectFailure(await issueKey(), 1, new RegExp(`no output ${name}.*npm run deploy -- -c stage=one`));
  });

  test('one whose tables were deleted', async () => {
    deployOne('UPDATE_COMPLETE', { ...stage.outputs, ApiKeysTable: 'gone' });
    expectFailure(await issueKey(), 1, /no tables/);
  });
});

describe('an unusable AWS account is reported in one sentence', () => {
  test.each<[string, RegExp, Record<string, string>]>([
    ['no region', /No AWS region.*AWS_REGION/, { AWS_REGION: '' }],
    ['no credentials', /No AWS credentials.*AWS_PROFILE/, { AWS_ACCESS_KEY_ID: '' }],
    ['an unknown profile', /No AWS credentials/, { AWS_PROFILE: 'none', AWS_ACCESS_KEY_ID: '' }],
  ])('%s', async (_what, words, environment) => {
    expectFailure(await issueKey('one', environment), 1, words);
  });

  test.each([
    ['expired credentials', /rejects these credentials/, 'ExpiredToken', 'The token is expired'],
    ['unknown credentials', /rejects these credentials/, 'InvalidClientTokenId', 'The token is invalid'],
    [
      'any other rejection, such as of a missing permission',
      /AWS rejected the call with Odd: It is so/,
      'Odd',
      'It\nis so',
    ],
  ])('%s', async (_what, words, code, message) => {
    stage.cloudFormation.reject({ httpStatus: 403, code, message });
    expectFailure(await issueKey(), 1, words);
  });

  test('a CloudFormation that is down, or never responds', async () => {
    const issueBy = (endpoint: string) => issueKey('one', { AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint });
    expectFailure(await issueBy(await givenDeadAddress()), 1, /CloudFormation does not respond/);
    const silent = await givenSilentAddress();
    const ended = await withinVirtualTime(10_000, () => issueBy(silent));
    expectFailure(ended, 1, /CloudFormation does not respond/);
  });
});

describe('an unusable --dynamodb is reported in one sentence', () => {
  test('one where nothing listens, one of another server, and one that never responds', async () => {
    const issueOn = (endpoint: string) => operate(['keys', 'issue', '--store', 's', '--dynamodb', endpoint]);
    expectFailure(await issueOn(await givenDeadAddress()), 1, /DynamoDB does not respond/);
    expectFailure(await issueOn(stage.cloudFormation.endpoint), 1, /DynamoDB/);
    const tls = stage.cloudFormation.endpoint.replace('http:', 'https:');
    expectFailure(await issueOn(tls), 1, /No TLS connection .* at https:.* begin it with http:/);
    const silent = await givenSilentAddress();
    const ended = await withinVirtualTime(10_000, () => issueOn(silent));
    expectFailure(ended, 1, /DynamoDB does not respond/);
  });
});

test('accept reports that the address of a stage on other data is unknown', async () => {
  expectFailure(await operate(['accept', '--dynamodb', 'http://127.0.0.1:1']), 1, /--base-url/);
});
