import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../../../infra/local/gateway/listen.ts';
import { safeStageName } from '../../../../infra/stage/stage-name.ts';
import { tableOutputOf } from '../../../../infra/stage/tables.ts';
import { TABLE_KINDS } from '../../../../lib/database/tables.ts';
import { createOperatorStoreRepository } from '../../../../lib/operators/operator-store-repository.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { givenDeadAddress, givenSilentAddress } from '../../../support/http/addresses.ts';
import { givenServer } from '../../../support/http/faulty-server.ts';
import { givenOperatedTables } from '../../../support/operators/deployed-stage.ts';
import { operate } from '../../../support/operators/operate.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';
import type { Ended } from '../../../support/programs/processes.ts';

const { documents, tableNames } = await givenDatabase(TABLE_KINDS);
const stage = await givenOperatedTables(tableNames);
await createOperatorStoreRepository(documents, tableNames.stores).put({
  id: 'shop',
  name: 'Shop',
  createdAtMs: 0,
});

afterAll(stage.close);

const deployOne = (status: string, outputs: Record<string, string> = stage.outputs): void =>
  void stage.cloudFormation.stacks.set('CartCheckout-one', { status, outputs });

beforeEach(() => {
  stage.cloudFormation.reject(undefined);
  stage.cloudFormation.stacks.clear();
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
  describe('one that is not deployed', () => {
    const PLACE = 'eu-west-1, account 123456789012';

    test.each(['on', 'One', 'one-more'])(
      'with the stage that %s means, and those that exist',
      async (name) => {
        const words = `The stage ${safeStageName(name)} is not deployed in ${PLACE}: did you mean one? Its stages are one.\n`;
        expect(await issueKey(name)).toStrictEqual({ exitCode: 1, stdout: '', stderr: words });
      },
    );

    test('with the stages that exist, if it resembles none', async () => {
      const words = `The stage elsewhere is not deployed in ${PLACE}, whose stages are one: set AWS_REGION and AWS_PROFILE to its region and account, or deploy it.\n`;
      expect(await issueKey('elsewhere')).toStrictEqual({ exitCode: 1, stdout: '', stderr: words });
    });

    test('without stages, or without the right to list them', async () => {
      const words = `The stage one is not deployed in eu-west-1: set AWS_REGION and AWS_PROFILE to its region and account, or deploy it.\n`;
      stage.cloudFormation.stacks.clear();
      expect(await issueKey()).toStrictEqual({ exitCode: 1, stdout: '', stderr: words });
      deployOne('UPDATE_COMPLETE');
      stage.cloudFormation.denyList();
      expect((await issueKey('on')).stderr).toBe(words.replace('stage one', 'stage on'));
    });
  });

  test('a question about live mode names the region and the account', async () => {
    const ended = await stage.run(['keys', 'issue', '--store', 'shop', '--mode', 'live'], { typed: 'no\n' });
    expect(ended.stderr).toContain(
      'Issuing a live key for shop on the stage one (eu-west-1, account 123456789012). Type yes to continue: ',
    );
  });

  test.each(TABLE_KINDS.map(tableOutputOf))('one without the output %s', async (name) => {
    const { [name]: _, ...others } = stage.outputs as Record<string, string>;
    deployOne('CREATE_IN_PROGRESS', others);
    expectFailure(await issueKey(), 1, new RegExp(`no output ${name}.*Deploy the stage again`));
  });

  test('one whose tables were deleted', async () => {
    deployOne('UPDATE_COMPLETE', { ...stage.outputs, ApiKeysTable: 'gone' });
    expectFailure(await issueKey(), 1, /no tables/);
  });
});

const PROFILES = `
[profile assumes-missing]
role_arn = arn:aws:iam::123456789012:role/operator
source_profile = gone
[profile base]
aws_access_key_id = test
aws_secret_access_key = test
[profile mfa]
role_arn = arn:aws:iam::123456789012:role/operator
source_profile = base
mfa_serial = arn:aws:iam::123456789012:mfa/ada
[profile failing]
credential_process = /bin/sh -c "echo 'The vault is sealed' >&2; exit 3"
[profile sso]
sso_session = company
sso_account_id = 123456789012
sso_role_name = operator
[sso-session company]
sso_region = eu-west-1
sso_start_url = https://company.example/start
`;

describe('missing credentials are reported with the reason of the SDK', () => {
  test.each<[string, string, RegExp]>([
    ['no profile', '', /^No AWS credentials were found: set AWS_PROFILE/],
    [
      'an unknown profile',
      'prdo',
      /^The AWS profile prdo does not exist or has no credentials: .*AWS_PROFILE/,
    ],
    [
      'a role whose source is missing',
      'assumes-missing',
      /^The AWS profile gone does not exist .* is assumes-missing/,
    ],
    [
      'a role with MFA',
      'mfa',
      /^The AWS profile mfa needs an MFA code, .*aws configure export-credentials --profile mfa/,
    ],
    [
      'a process that fails',
      'failing',
      /^The AWS profile failing has no credentials: .*The vault is sealed\.$/m,
    ],
    [
      'a session of SSO that ended',
      'sso',
      /^The AWS profile sso has no credentials: the SSO session .*aws sso login/,
    ],
  ])('%s', async (_what, profile, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'profiles-'));
    const file = join(folder, 'config');
    await writeFile(file, PROFILES);
    const environment = { AWS_PROFILE: profile, AWS_CONFIG_FILE: file, HOME: folder, AWS_ACCESS_KEY_ID: '' };
    expectFailure(await issueKey('one', environment), 1, words);
  });

  test('a profile beside keys in the environment prints no warning of the SDK', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expectFailure(await issueKey('one', { AWS_PROFILE: 'prdo' }), 1, /profile prdo/);
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('an unusable AWS account is reported in one sentence', () => {
  test('no region', async () => {
    expectFailure(await issueKey('one', { AWS_REGION: '' }), 1, /No AWS region.*AWS_REGION/);
  });

  test.each<[string, string, number, string, string]>([
    ['expired credentials', '^AWS rejects these credentials', 403, 'ExpiredToken', 'The token is expired'],
    ['unknown credentials', '^AWS rejects these credentials', 403, 'InvalidClientTokenId', 'It is invalid'],
    [
      'a wrong clock',
      "correct this machine's clock",
      403,
      'SignatureDoesNotMatch',
      'Signature expired: 1 is now earlier than 2',
    ],
    [
      'a wrong clock of a signed address',
      "correct this machine's clock",
      403,
      'RequestExpired',
      'Request has expired.',
    ],
    [
      'a wrong secret',
      '^AWS rejects these credentials',
      403,
      'SignatureDoesNotMatch',
      'The signature does not match',
    ],
    ['a throttle', '^CloudFormation throttles the requests: try again', 400, 'Throttling', 'Rate exceeded'],
    [
      'an outage',
      '^CloudFormation failed in eu-west-1 with InternalFailure: Odd',
      500,
      'InternalFailure',
      'Odd',
    ],
    [
      'any other rejection, such as of a missing permission',
      'AWS rejected the call with Odd: It is so',
      403,
      'Odd',
      'It\nis so',
    ],
  ])('%s', async (_what, words, httpStatus, code, message) => {
    stage.cloudFormation.reject({ httpStatus, code, message });
    expectFailure(await issueKey(), 1, new RegExp(words));
  });

  test("with AWS's name of the error in the JSON", async () => {
    stage.cloudFormation.reject({ httpStatus: 400, code: 'Throttling', message: 'Rate exceeded' });
    const { stderr } = await stage.run(['keys', 'list', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { exitCode: 1, awsError: 'Throttling' } });
  });

  test('the page of a proxy', async () => {
    const server = createServer((_request, response) => {
      response.statusCode = 502;
      response.end('Bad Gateway');
    });
    onTestFinished(() => void server.close());
    const endpoint = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
    const words =
      /status 502 came in place of one of CloudFormation in eu-west-1: check the network, its proxies/;
    expectFailure(await issueKey('one', { AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint }), 1, words);
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
    const other = await givenServer((response) => response.writeHead(400).end('<html></html>'));
    expectFailure(await issueOn(other.endpoint), 1, /DynamoDB/);
    const tls = other.endpoint.replace('http:', 'https:');
    expectFailure(await issueOn(tls), 1, /No TLS connection .* at https:.* begin it with http:/);
    const silent = await givenSilentAddress();
    const ended = await withinVirtualTime(10_000, () => issueOn(silent));
    expectFailure(ended, 1, /DynamoDB does not respond/);
  });
});

test('accept reports that the address of a stage on other data is unknown', async () => {
  expectFailure(await operate(['accept', '--dynamodb', 'http://127.0.0.1:1']), 1, /--base-url/);
});
