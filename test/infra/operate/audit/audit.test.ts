import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuditRecord, safeFields } from '../../../../infra/operate/frame/audit-log.ts';
import { apiKeyId, generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { generateSecret } from '../../../../lib/endpoints/signing-secret.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import { givenDeadAddress } from '../../../support/http/addresses.ts';
import { CALLER } from '../../../support/operators/aws-stand-in.ts';
import {
  BUS_AND_QUEUES,
  type DeployedOptions,
  givenOperatedService,
  type OperatedService,
} from '../../../support/operators/deployed-stage.ts';
import { operate } from '../../../support/operators/operate.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const STORE = 'audited';

let stage: OperatedService;

beforeAll(async () => {
  stage = await givenOperatedService();
  await stage.givenStore(STORE);
  return stage.close;
});

const records = (): AuditRecord[] =>
  stage.aws.logs.events.map(({ message }) => JSON.parse(message) as AuditRecord);

const givenKeyId = async (mode: Mode = 'test'): Promise<string> =>
  apiKeyId(await stage.givenKey({ storeId: STORE, mode }));

beforeEach(() => {
  stage.aws.logs.events.length = 0;
  stage.aws.logs.onCall(() => undefined);
});

test('a command that fails, or that the operator does not confirm, is not recorded as done', async () => {
  const args = ['keys', 'revoke', await givenKeyId('live')];
  stage.aws.logs.events.length = 0;
  expectFailure(await stage.run(args), 2, /--yes/);
  expect(records()).toStrictEqual([]);

  expectFailure(await stage.run(['dead-letters', 'remove', 'unknown', '--yes']), 1, /No dead letter/);
  expect(records().map(({ outcome }) => outcome)).toStrictEqual(['begun', 'failed']);
});

test('a record has the revoked key, and how many letters were redriven', async () => {
  const keyId = await givenKeyId();
  stage.aws.queues.put(BUS_AND_QUEUES.PaymentDeadLetterQueueUrl, 'no event');
  await stage.run(['keys', 'revoke', keyId]);
  await stage.run(['dead-letters', 'redrive', '--queue', 'payments', '--yes']);
  const [, revoked, , redriven] = records();
  expect(revoked).toMatchObject({ command: 'keys revoke', ids: { keyId }, outcome: 'done' });
  expect(redriven).toMatchObject({ ids: { queue: 'payments' }, result: { redriven: 0, left: 1 } });
});

test('a record never holds a key, a secret or an e-mail address, even if a command passes one', () => {
  const confidential = [generateApiKey('live'), generateSecret(), 'ada@example.com'];
  const cartIds = Array.from({ length: 1_001 }, (_, index) => String(index));
  const fields = { text: confidential[0], list: [...confidential, 'a'], cartIds, count: 7, queue: undefined };
  expect(safeFields(fields)).toStrictEqual({
    text: 'withheld',
    list: ['withheld', 'withheld', 'withheld', 'a'],
    // An event of CloudWatch Logs is bounded.
    cartIds: cartIds.slice(0, 1_000),
    count: 7,
  });
});

test('the local stage records nothing, and has no list', async () => {
  const flags = ['--dynamodb', stage.dynamodbEndpoint];
  expect(await operate(['stores', 'put', STORE, '--name', 'A', ...flags])).toMatchObject({ exitCode: 0 });
  expect(records()).toStrictEqual([]);
  expectFailure(
    await operate(['audit', 'list', ...flags]),
    1,
    /^`audit list` works on a deployed stage only: select one with --stage\.\n$/,
  );
});

describe('a change that cannot be recorded does not happen', () => {
  const expectUnchanged = async (reason: RegExp, options: DeployedOptions = {}): Promise<void> => {
    const { exitCode, stderr: said } = await stage.run(['keys', 'revoke', keyId], options);
    expect({ exitCode, said }).toStrictEqual({ exitCode: 1, said: expect.stringMatching(/^[^\n]+\n$/) });
    expect(said).toMatch(reason);
    expect((await stage.apiKeys.find(keyId))?.key?.revokedAtMs).toBeUndefined();
  };
  let keyId: string;

  beforeAll(async () => {
    keyId = await givenKeyId();
  });

  test.each<[string, object, RegExp]>([
    [
      'a wrong clock',
      { rejectedLogEventsInfo: { tooNewLogEventStartIndex: 0 } },
      /correct this machine's clock/,
    ],
    [
      'a rejection, such as of a missing permission',
      { __type: 'Odd', message: 'It\nis so' },
      /logs:PutLogEvents on the log group audit-one failed: It is so/,
    ],
  ])('%s', async (_what, response, reason) => {
    stage.aws.logs.onCall(() => response);
    await expectUnchanged(reason);
    await expectUnchanged(/^Nothing was changed, because the change cannot be recorded: /);
  });

  test('CloudWatch Logs or STS is down', async () => {
    const address = await givenDeadAddress();
    for (const service of ['CLOUDWATCH_LOGS', 'STS']) {
      await expectUnchanged(/does not respond/, {
        environment: { [`AWS_ENDPOINT_URL_${service}`]: address },
      });
    }
  });

  test('the stage is of a release without audit logs', async () => {
    const { AuditLogGroup: _, ...outputs } = stage.outputs as Record<string, string>;
    stage.cloudFormation.stacks.set('CartCheckout-old', { status: 'UPDATE_COMPLETE', outputs });
    await expectUnchanged(/has no output AuditLogGroup: .*Deploy the stage again/, { stage: 'old' });
    expect(await stage.run(['keys', 'list'], { stage: 'old' })).toMatchObject({ exitCode: 0 });
  });
});

test('a change whose end cannot be recorded still shows its result', async () => {
  let puts = 0;
  stage.aws.logs.onCall(() => ((puts += 1) === 2 ? { __type: 'AccessDeniedException' } : undefined));
  const { exitCode, stdout: shown, stderr: said } = await stage.run(['keys', 'issue', '--store', STORE]);
  expect({ exitCode, shown }).toMatchObject({
    exitCode: 0,
    shown: expect.stringContaining('API key  cck_test_'),
  });
  expect(said).toMatch(/^The audit log lacks the end of the change \S+: .*logs:PutLogEvents.*\n$/);
  expect(records()).toMatchObject([{ outcome: 'begun' }]);
});

describe('audit list', () => {
  interface Listed {
    readonly changes: readonly AuditRecord[];
    readonly omitted: number;
  }
  const list = (...flags: readonly string[]): Promise<Listed> =>
    stage.runJson<Listed>('audit', 'list', ...flags);
  const commandsIn = ({ changes }: Listed): string[] => changes.map(({ command }) => command);

  beforeEach(() => {
    const nowMs = stage.clock.now();
    for (const [index, command] of ['stores put', 'keys issue', 'keys revoke'].entries()) {
      for (const outcome of ['begun', 'done']) {
        const at = new Date(nowMs - (2 - index) * 60_000).toISOString();
        const record = {
          changeId: String(index),
          at,
          caller: CALLER,
          command,
          ids: { storeId: STORE },
          outcome,
        };
        stage.aws.logs.events.push({ timestamp: Date.parse(at), message: JSON.stringify(record) });
      }
    }
  });

  test('shows who changed what, the newest first, over all pages of the log', async () => {
    const { changes } = await list();
    expect(changes).toMatchObject([
      { command: 'keys revoke', outcome: 'done', caller: CALLER },
      { command: 'keys issue', outcome: 'done' },
      { command: 'stores put', outcome: 'done', ids: { storeId: STORE } },
    ]);
    const { stdout: lines } = await stage.run(['audit', 'list']);
    const [heading, first] = lines.split('\n');
    expect(heading).toMatch(/^AT \(UTC\) +WHO +COMMAND +OUTCOME +WHAT IT CHANGED$/);
    expect(first).toMatch(
      /^2026-\S+ \d\d:\d\d:\d\d {2}assumed-role\/Operator\/otto\S+ +keys revoke +done +storeId audited$/,
    );
  });

  test('selects by time, command and number', async () => {
    const since = new Date(stage.clock.now() - 90_000).toISOString();
    expect(commandsIn(await list('--since', since))).toStrictEqual(['keys revoke', 'keys issue']);
    expect(commandsIn(await list('--command', 'keys'))).toStrictEqual(['keys revoke', 'keys issue']);
    expect(commandsIn(await list('--command', 'stores put'))).toStrictEqual(['stores put']);
    const limited = await stage.run(['audit', 'list', '--limit', '1', '--json']);
    expect(limited.stderr).toBe('Not shown: 2 earlier changes. Use --limit.\n');
    expect(JSON.parse(limited.stdout)).toMatchObject({ changes: [{ command: 'keys revoke' }], omitted: 2 });
    stage.clock.advance(8 * 86_400);
    expect((await stage.run(['audit', 'list'])).stdout).toBe('There are no such changes.\n');
  });

  test('shows a change whose command died as begun, and counts lines of others', async () => {
    const { events } = stage.aws.logs;
    events.pop();
    for (const message of ['nonsense', 'null', '{}', '{"changeId":"9"}']) {
      events.push({ timestamp: stage.clock.now(), message });
    }
    const { stdout: line, stderr: said } = await stage.run(['audit', 'list', '--limit', '1', '--json']);
    expect(JSON.parse(line)).toMatchObject({ changes: [{ command: 'keys revoke', outcome: 'begun' }] });
    expect(said).toContain('Ignored: 4 lines of the log without an audit record.\n');
  });

  test('shows a false record beside the change whose id it has', async () => {
    const { events } = stage.aws.logs;
    const last = JSON.parse(events.at(-1)?.message ?? '') as AuditRecord;
    const message = JSON.stringify({ ...last, caller: `${CALLER}-2` });
    events.push({ timestamp: stage.clock.now(), message });
    const { changes } = await list('--command', 'keys revoke');
    expect(changes.map(({ caller }) => caller).toSorted()).toStrictEqual([CALLER, `${CALLER}-2`]);
  });

  test('names the missing permission', async () => {
    const message = 'The user is not authorized to perform: logs:FilterLogEvents';
    stage.aws.logs.onCall(() => ({ __type: 'AccessDeniedException', message }));
    const words = new RegExp(`The audit log cannot be read: .*${message}`);
    expectFailure(await stage.run(['audit', 'list']), 1, words);
  });
});
