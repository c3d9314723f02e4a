import { DeleteItemCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { toCartItem } from '../../../../lib/carts/cart-item.ts';
import type { TableKind } from '../../../../lib/database/tables.ts';
import { createEndpointTimers } from '../../../../lib/deliveries/parking/endpoint-timers.ts';
import { createParkedDeliveries } from '../../../../lib/deliveries/parking/parked-deliveries.ts';
import { createProbeJob } from '../../../../lib/deliveries/parking/probe-job.ts';
import type { DeliveryQueue } from '../../../../lib/deliveries/queue/delivery-queue.ts';
import {
  deliveryMessageOf,
  drainRequestOf,
  type QueueMessage,
} from '../../../../lib/deliveries/queue/queue-message.ts';
import { removalAt } from '../../../../lib/endpoints/removed-endpoints.ts';
import { IDEMPOTENCY_SECRET_IDS } from '../../../../lib/idempotency/idempotency-secret.ts';
import { runJob } from '../../../../lib/timers/run-job.ts';
import { waitingCart } from '../../../support/domain/payments.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { interceptCalls } from '../../../support/operators/intercept-calls.ts';
import { operate } from '../../../support/operators/operate.ts';
import { givenRestores, type RestoreCounts } from '../../../support/operators/restore.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const stage = await givenOperatedService();
const nowMs = stage.clock.now();
const tables = givenRestores(stage);

afterAll(stage.close);

const restoreTable = async (table: string, from: string): Promise<RestoreCounts> => {
  const flags = ['restore', 'items', '--table', table, '--at', tables.at, '--from', from, '--yes', '--json'];
  return JSON.parse((await stage.run(flags)).stdout) as RestoreCounts;
};

/** Copies an item of the stage, as it is now, to a restored table. */
const copyToRestored = async (from: string, table: TableKind, key: Record<string, string>) =>
  tables.put(from, (await tables.find(stage.tableNames[table], key)) ?? {});

const lose = (table: TableKind, key: Record<string, string>): Promise<unknown> => {
  const Key = Object.fromEntries(Object.entries(key).map(([name, S]) => [name, { S }]));
  return stage.documents.send(new DeleteItemCommand({ TableName: stage.tableNames[table], Key }));
};

describe('an item that an operator has ended since never comes back', () => {
  test('keys: one that was revoked or rotated before it was lost, and one that is revoked now', async () => {
    const from = await tables.givenRestored('apiKeys');
    const keys = [];
    for (let index = 0; index < 4; index += 1) keys.push(await stage.issueKey('--mode', 'test'));
    for (const { keyId } of keys) await copyToRestored(from, 'apiKeys', { keyId });
    const [lost, revoked, rotated, kept] = keys.map(({ keyId }) => keyId) as [string, string, string, string];
    await stage.runJson('keys', 'revoke', revoked);
    await stage.runJson('keys', 'rotate', rotated);
    await stage.runJson('keys', 'revoke', kept);
    for (const keyId of [lost, revoked, rotated]) await lose('apiKeys', { keyId });

    expect(await restoreTable('ApiKeys', from)).toMatchObject({ missing: 1, ended: 2, stays: 1, copied: 1 });
    const usable = async (keyId: string) => {
      const item = await tables.find(stage.tableNames.apiKeys, { keyId });
      return item !== undefined && item['revokedAtMs'] === undefined;
    };
    expect(await Promise.all([lost, revoked, rotated, kept].map(usable))).toStrictEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("a removed webhook endpoint, a rotated secret, and the stage's own secrets", async () => {
    const create = async () => {
      await stage.givenStore('restored');
      const flags = ['--store', 'restored', '--mode', 'test', '--url', 'https://shop.example/hook'];
      return String((await stage.runJson('webhooks', 'create', ...flags))['id']);
    };
    const [removed, rotated] = [await create(), await create()];
    const endpoints = await tables.givenRestored('webhookEndpoints');
    const secrets = await tables.givenRestored('secrets');
    for (const id of [removed, rotated]) {
      await copyToRestored(endpoints, 'webhookEndpoints', { log: 'test#restored', id });
      await copyToRestored(secrets, 'secrets', { id });
    }
    await stage.runJson('webhooks', 'remove', removed);
    await stage.runJson('webhooks', 'rotate', rotated);
    await lose('webhookEndpoints', { log: 'test#restored', id: rotated });
    await lose('secrets', { id: rotated });
    const own = Object.values(IDEMPOTENCY_SECRET_IDS);
    for (const id of own) await tables.put(secrets, { id, secret: 'of the stage' });

    expect(await restoreTable('WebhookEndpoints', endpoints)).toMatchObject({ ended: 1, copied: 1 });
    expect(await restoreTable('Secrets', secrets)).toMatchObject({ items: 2, ended: 2, copied: 0 });
    for (const id of own) expect(await tables.find(stage.tableNames.secrets, { id })).toBeUndefined();
  });
});

test('a lost webhook endpoint finds the deliveries that were parked after the restored state', async () => {
  await stage.givenStore('parked');
  const flags = ['--store', 'parked', '--mode', 'test', '--url', 'https://shop.example/hook'];
  const id = String((await stage.runJson('webhooks', 'create', ...flags))['id']);
  const from = await tables.givenRestored('webhookEndpoints');
  await copyToRestored(from, 'webhookEndpoints', { log: 'test#parked', id });
  await lose('webhookEndpoints', { log: 'test#parked', id });
  const endpoint = { storeId: 'parked', mode: 'test', endpointId: id } as const;
  const event = { id: `evt_${'0'.repeat(32)}`, type: 'cart.completed', recordedAtMs: nowMs, sequence: 1 };
  const message = deliveryMessageOf(endpoint, event);
  const { documents, tableNames, clock } = stage;
  const { now } = clock;
  await createParkedDeliveries(documents, tableNames.deliveries, now).add([message]);

  expect(await restoreTable('WebhookEndpoints', from)).toMatchObject({ copied: 1 });
  const sent: QueueMessage[] = [];
  const queue: DeliveryQueue = { send: async (messages) => void sent.push(...messages) };
  const dependencies = {
    endpointTimers: createEndpointTimers(documents, tableNames.webhookEndpoints),
    queue,
    now,
  };
  const job = createProbeJob('test', dependencies);
  await runJob(job, now, new AbortController().signal);
  expect(sent).toContainEqual(drainRequestOf(endpoint));
});

test('a webhook endpoint that its merchant has just removed is restored, and one that was removed before is not', async () => {
  await stage.givenStore('removed');
  const flags = ['--store', 'removed', '--mode', 'test', '--url', 'https://shop.example/hook'];
  const from = await tables.givenRestored('webhookEndpoints');
  const { documents, tableNames } = stage;
  const removed = [];
  for (const isBefore of [false, true]) {
    const id = String((await stage.runJson('webhooks', 'create', ...flags))['id']);
    const Key = { log: 'test#removed', id };
    const remove = new UpdateCommand({ TableName: tableNames.webhookEndpoints, Key, ...removalAt(nowMs) });
    if (isBefore) await documents.send(remove);
    await copyToRestored(from, 'webhookEndpoints', Key);
    if (isBefore) await lose('webhookEndpoints', Key);
    else await documents.send(remove);
    removed.push(Key);
  }
  expect(await restoreTable('WebhookEndpoints', from)).toMatchObject({ copied: 1, expired: 1 });
  expect(await tables.find(tableNames.webhookEndpoints, removed[0]!)).toMatchObject({ url: flags.at(-1) });
});

test('nothing is restored if the audit log cannot be read', async () => {
  const from = await tables.givenRestored('apiKeys');
  stage.aws.logs.onCall(() => ({ __type: 'ResourceNotFoundException' }));
  onTestFinished(() => stage.aws.logs.onCall(() => undefined));
  const flags = ['restore', 'items', '--table', 'ApiKeys', '--at', tables.at, '--from', from, '--dry-run'];
  expectFailure(await stage.run(flags), 1, /audit log/);
});

describe('the restored table', () => {
  test('is missing: the command prints how to restore it', async () => {
    const { exitCode, stdout, stderr } = await tables.restore(['--from', 'restored', '--yes']);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(
      `\`aws dynamodb restore-table-to-point-in-time --source-table-name ${stage.tableNames.carts} --target-table-name restored --restore-date-time ${tables.at}\``,
    );
  });

  /** Describes tables as DynamoDB does, which the emulator cannot. */
  const givenDescription = (Table: object): void =>
    interceptCalls(async (command) => (command instanceof DescribeTableCommand ? { Table } : undefined));

  const KeySchema = [{ AttributeName: 'id' }];

  test.each(['CREATING', 'DELETING'])('is not ready: %s', async (TableStatus) => {
    givenDescription({ TableStatus, KeySchema });
    expectFailure(await tables.restore(['--from', 'restored', '--yes']), 1, /restored is not ready/);
  });

  test('is older than --at, so that a revocation between them would be missed', async () => {
    const RestoreDateTime = new Date(Date.parse(tables.at) - 2_000);
    givenDescription({ TableStatus: 'ACTIVE', KeySchema, RestoreSummary: { RestoreDateTime } });
    const words = new RegExp(`has the state of ${RestoreDateTime.toISOString()}: pass this time`);
    expectFailure(await tables.restore(['--from', 'restored', '--yes']), 1, words);
  });

  test('stays: the command prints how to delete it, if DynamoDB restored it', async () => {
    const from = await tables.givenRestored();
    expect((await tables.restore(['--from', from, '--yes'])).stdout).not.toContain('delete-table');
    const RestoreSummary = { RestoreDateTime: new Date(tables.at) };
    givenDescription({ TableStatus: 'ACTIVE', KeySchema, RestoreSummary });
    const { stdout } = await tables.restore(['--from', from, '--yes']);
    expect(stdout).toContain(`\`aws dynamodb delete-table --table-name ${from}\``);
  });

  test('on the local stage, which has no backups: no command is printed', async () => {
    const flags = ['--table', 'Carts', '--at', tables.at, '--from', 'restored', '--yes'];
    const ended = await operate(['restore', 'items', ...flags, '--dynamodb', stage.dynamodbEndpoint]);
    expectFailure(ended, 1, /^The table restored does not exist\.\n$/);
  });

  test.each<[string, () => Promise<string> | string, RegExp]>([
    ['in use by the stage', () => stage.tableNames.testCarts, /in use/],
    ['of another key', () => tables.givenRestored('apiKeys'), /keyId/],
  ])('a table that is %s is rejected', async (_what, name, words) => {
    expectFailure(await tables.restore(['--from', await name(), '--yes']), 1, words);
  });
});

describe('a command line that would do harm ends with exit code 2', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['--all for keys', ['--table', 'ApiKeys', '--all', '--yes'], /--all/],
    ['a time in the future', ['--at', '2999-01-01T00:00:00Z', '--yes'], /past/],
    ['no restored table', ['--yes'], /--from/],
    ['the address of a table', ['--from', 'arn:aws:dynamodb:x', '--yes'], /letters, digits/],
    ['the ledger of erasures', ['--table', 'Erasures', '--yes'], /--table/],
  ])('%s', async (_what, flags, words) => {
    const from = words.source === '--from' || flags.includes('--from') ? [] : ['--from', 'restored'];
    expectFailure(await tables.restore([...from, ...flags]), 2, words);
  });

  test.each<[string, TableKind, readonly string[]]>([
    ['live mode', 'carts', []],
    ['products, which both modes share,', 'products', ['--table', 'Products']],
  ])('%s without a confirmation', async (_what, kind, flags) => {
    const from = await tables.givenRestored(kind);
    expectFailure(await tables.restore(['--from', from, ...flags]), 2, /confirmation/);
  });
});

test('the copy is on the audit log, with its counts', async () => {
  const from = await tables.givenRestored();
  await tables.put(from, toCartItem(waitingCart()));
  stage.aws.logs.events.length = 0;
  await tables.restoreJson('--from', from);
  const records = stage.aws.logs.events.map(({ message }) => JSON.parse(message) as unknown);
  expect(records).toMatchObject([
    {
      command: 'restore items',
      ids: { table: 'Carts', at: tables.at, from, mode: 'missing' },
      outcome: 'begun',
    },
    { command: 'restore items', outcome: 'done', result: { items: 1, copied: 1 } },
  ]);
});
