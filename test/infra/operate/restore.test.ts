import { DeleteItemCommand, RestoreTableToPointInTimeCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TableKind } from '../../../infra/tables.ts';
import { toItem } from '../../../lib/carts/cart-item.ts';
import { IDEMPOTENCY_SECRET_ID } from '../../../lib/carts/idempotency-secret.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { runTimers } from '../../../lib/timers/run-timers.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { createTimedDeliveries, parkedTimer } from '../../../lib/webhooks/timed-deliveries.ts';
import {
  type DeliveryMessage,
  deliveryMessageOf,
  type DeliveryQueue,
} from '../../../lib/webhooks/delivery.ts';
import { createEndpointTimers } from '../../../lib/webhooks/endpoint-timers.ts';
import { createProbeWork } from '../../../lib/webhooks/probe-work.ts';
import { expectFailure } from '../../support/expect-sentence.ts';
import { givenOperatedService } from '../../support/operate.ts';
import { waitingCart } from '../../support/payments.ts';
import { givenRestores, interceptCalls, type RestoreCounts } from '../../support/restore.ts';

const stage = await givenOperatedService();
const nowMs = stage.clock.now();
const tables = givenRestores(stage);

afterAll(stage.close);

const restoreTable = async (table: string, from: string): Promise<RestoreCounts> => {
  const flags = ['restore', '--table', table, '--at', tables.at, '--from', from, '--yes', '--json'];
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

  test("a removed webhook endpoint, a rotated secret, and the stage's own secret", async () => {
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
    await tables.put(secrets, { id: IDEMPOTENCY_SECRET_ID, secret: 'of the stage' });

    expect(await restoreTable('WebhookEndpoints', endpoints)).toMatchObject({ ended: 1, copied: 1 });
    expect(await restoreTable('Secrets', secrets)).toMatchObject({ items: 2, ended: 2, copied: 0 });
    expect(await tables.find(stage.tableNames.secrets, { id: IDEMPOTENCY_SECRET_ID })).toBeUndefined();
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
  const next = { attempt: 1, timer: parkedTimer(message, nowMs) };
  const { documents, tableNames, clock } = stage;
  const { now } = clock;
  const deliveries = createDeliveryStore(documents, tableNames.deliveries, now);
  await deliveries.record(message, { status: 'waiting', next }, nowMs);

  expect(await restoreTable('WebhookEndpoints', from)).toMatchObject({ copied: 1 });
  const sent: DeliveryMessage[] = [];
  const queue: DeliveryQueue = { send: async (messages) => void sent.push(...messages) };
  const work = createProbeWork({
    endpointTimers: createEndpointTimers(documents, tableNames.webhookEndpoints),
    deliveries: createTimedDeliveries(documents, tableNames.deliveries, { queue, now }),
    now,
  });
  await runTimers(work, now, new AbortController().signal);
  expect(sent).toStrictEqual([message]);
});

test('nothing is restored if the audit log cannot be read', async () => {
  const from = await tables.givenRestored('apiKeys');
  stage.aws.logs.onCall(() => ({ __type: 'ResourceNotFoundException' }));
  onTestFinished(() => stage.aws.logs.onCall(() => undefined));
  const flags = ['restore', '--table', 'ApiKeys', '--at', tables.at, '--from', from, '--dry-run'];
  expectFailure(await stage.run(flags), 1, /audit log/);
});

describe('the restored table', () => {
  /** Restores in place of DynamoDB, because the emulator cannot. The restored table has one cart. */
  const givenRecovery = (cart: Cart, failure?: string) => {
    const requests: Record<string, unknown>[] = [];
    interceptCalls(async (command) => {
      if (!(command instanceof RestoreTableToPointInTimeCommand)) return undefined;
      if (failure !== undefined) throw Object.assign(new Error('rejected'), { name: failure });
      requests.push({ ...command.input });
      const restored = await tables.givenRestored('carts', command.input.TargetTableName);
      await tables.put(restored, toItem(cart));
      return {};
    });
    return requests;
  };

  test('DynamoDB restores it once, a dry run keeps it, and the copy deletes it', async () => {
    const cart = waitingCart({ expiresAtMs: nowMs + DAY_MS, deleteAtSeconds: nowMs });
    const requests = givenRecovery(cart);
    const first = await tables.restoreJson('--dry-run');
    expect(requests).toStrictEqual([
      {
        SourceTableName: stage.tableNames.carts,
        TargetTableName: first['from'],
        RestoreDateTime: new Date(Math.floor(Date.parse(tables.at) / 1_000) * 1_000),
      },
    ]);
    expect(first).toMatchObject({ missing: 1, copied: 0 });
    expect(await tables.restoreJson()).toMatchObject({ from: first['from'], copied: 1 });
    expect(requests).toHaveLength(1);
    expect(await stage.carts.live.find(cart.id)).toStrictEqual(cart);
    // It is deleted: another run restores again.
    expect(await tables.restoreJson('--dry-run')).toMatchObject({ same: 1 });
    expect(requests).toHaveLength(2);

    const cleanup = async () =>
      JSON.parse((await tables.restore(['--cleanup', '--json'])).stdout) as RestoreCounts;
    expect(await cleanup()).toMatchObject({ from: first['from'], deleted: true });
    expect(await cleanup()).toMatchObject({ deleted: false });
  });

  test.each([
    ['PointInTimeRecoveryUnavailableException', /point-in-time recovery/],
    ['InvalidRestoreTimeException', /35 days/],
    ['AccessDeniedException', /dynamodb:RestoreTableToPointInTime/],
  ])('%s ends with one sentence', async (failure, words) => {
    givenRecovery(waitingCart(), failure);
    expectFailure(await tables.restore(['--yes']), 1, words);
  });

  test.each<[string, () => Promise<string> | string, RegExp]>([
    ['missing', () => 'missing-table', /does not exist/],
    ['in use by the stage', () => stage.tableNames.testCarts, /in use/],
    ['of another key', () => tables.givenRestored('apiKeys'), /keyId/],
  ])('a table that is %s is rejected', async (_what, name, words) => {
    expectFailure(await tables.restore(['--from', await name(), '--yes']), 1, words);
  });
});

describe('a command line that would do harm ends with exit code 2', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['live mode without a confirmation', ['--from', 'x'], /confirmation/],
    ['products, which both modes share, without a confirmation', ['--table', 'Products'], /confirmation/],
    ['--all for keys', ['--table', 'ApiKeys', '--all', '--yes'], /--all/],
    ['a time in the future', ['--at', '2999-01-01T00:00:00Z', '--yes'], /past/],
    ['the ledger of erasures', ['--table', 'Erasures', '--yes'], /--table/],
  ])('%s', async (_what, flags, words) => {
    expectFailure(await tables.restore(flags), 2, words);
  });
});

test('the copy is on the audit log, with its counts', async () => {
  const from = await tables.givenRestored();
  await tables.put(from, toItem(waitingCart()));
  stage.aws.logs.events.length = 0;
  await tables.restoreJson('--from', from);
  const records = stage.aws.logs.events.map(({ message }) => JSON.parse(message) as unknown);
  expect(records).toMatchObject([
    { command: 'restore', ids: { table: 'Carts', at: tables.at, from, mode: 'missing' }, outcome: 'begun' },
    { command: 'restore', outcome: 'done', result: { items: 1, copied: 1 } },
  ]);
});
