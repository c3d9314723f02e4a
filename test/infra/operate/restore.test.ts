import { randomUUID } from 'node:crypto';
import {
  DeleteItemCommand,
  PutItemCommand,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Client } from '@smithy/core/client';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { prepareTable } from '../../../infra/local/prepare-table.ts';
import { paymentTablesOf } from '../../../infra/payment-tables.ts';
import { PERSONAL_DATA_DAYS } from '../../../infra/stages.ts';
import { TABLES } from '../../../infra/tables.ts';
import { createCartEraser } from '../../../lib/buyers/cart-eraser.ts';
import { createErasureLedger } from '../../../lib/buyers/erasure-ledger.ts';
import { createErasureDependencies, runErasures } from '../../../lib/buyers/run-erasures.ts';
import { toItem } from '../../../lib/carts/cart-item.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createAbandonmentStores, recordAbandonments } from '../../../lib/carts/record-abandonment.ts';
import type { Ended } from '../../support/processes.ts';
import { expectFailure } from '../../support/expect-sentence.ts';
import { type DeployedOptions, givenOperatedService, type OperatedService } from '../../support/operate.ts';
import { payment, waitingCart } from '../../support/payments.ts';

const DAY_MS = 86_400_000;

let stage: OperatedService;
let nowMs: number;
let at: string;

beforeAll(async () => {
  stage = await givenOperatedService();
  return stage.close;
});

beforeEach(() => {
  nowMs = stage.clock.now();
  at = new Date(nowMs - 3_600_000).toISOString();
});

type Kind = 'carts' | 'apiKeys' | 'products' | 'webhookEndpoints' | 'webhookSecrets';

/** A table beside, with the key of a table of the stage. A restored table has no TTL. */
const givenBeside = async (kind: Kind = 'carts', name: string = randomUUID()): Promise<string> => {
  const { ttlAttribute: _, ...definition } = { ttlAttribute: undefined, ...TABLES[kind] };
  await prepareTable(stage.documents, name, definition);
  return name;
};

const put = (TableName: string, Item: Record<string, unknown>): Promise<unknown> =>
  stage.documents.send(new PutCommand({ TableName, Item }));

const find = async (TableName: string, Key: Record<string, string>) =>
  (await stage.documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;

/** A cart as it was then. */
const givenThen = async (beside: string, changes: Partial<Cart> = {}): Promise<Cart> => {
  const cart = waitingCart({ expiresAtMs: nowMs + DAY_MS, deleteAtSeconds: nowMs, ...changes });
  await put(beside, toItem(cart));
  return cart;
};

const completed = (changes: Partial<Cart> = {}): Partial<Cart> => ({
  status: 'completed',
  payments: [payment()],
  deleteAtSeconds: undefined,
  updatedAtMs: nowMs,
  ...changes,
});

/** A cart of then that the stage has, with changes since. */
const givenChanged = async (beside: string, then: Partial<Cart>, now: Partial<Cart>): Promise<Cart> => {
  const cart = await givenThen(beside, then);
  const { cart: live } = await stage.carts.live.create({ ...cart, ...now });
  return live;
};

const restore = (flags: readonly string[], options?: DeployedOptions): Promise<Ended> =>
  stage.run(['restore', '--table', 'Carts', '--at', at, ...flags], options);

type Counts = Readonly<Record<string, unknown>>;

/** Restores, and returns the line of JSON. */
const restoreJson = async (...flags: readonly string[]): Promise<Counts> => {
  const { exitCode, stdout, stderr } = await restore([...flags, '--yes', '--json']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Reads about') });
  return JSON.parse(stdout) as Counts;
};

const ZERO = { same: 0, missing: 0, different: 0, stays: 0, ended: 0, expired: 0, malformed: 0 };

const WRITTEN = { copied: 0, erasedAgain: 0, overtaken: 0 };

test('a dry run counts, the copy brings back exactly what is missing, and a repetition changes nothing', async () => {
  const from = await givenBeside();
  const waiting = await givenThen(from, { meta: { constructor: 'A', order: '1' } });
  const paid = await givenThen(from, completed());
  await put(from, { id: 'payment#p-1', cartId: paid.id });
  const both = await givenChanged(from, {}, {});
  const changed = await givenChanged(from, {}, { productName: 'Changed' });
  const added = (await stage.carts.live.create(waitingCart())).cart;
  const base = { table: 'Carts', at, from };
  const found = { ...ZERO, items: 5, same: 1, missing: 3, different: 1 };

  expect(await restoreJson('--from', from, '--dry-run')).toStrictEqual({
    ...base,
    dryRun: true,
    ...found,
    ...WRITTEN,
  });
  expect(await stage.carts.live.find(waiting.id)).toBeUndefined();

  expect(await restoreJson('--from', from)).toStrictEqual({ ...base, ...found, ...WRITTEN, copied: 3 });
  const { deleteAtSeconds: _, ...paidNow } = paid;
  for (const cart of [waiting, both, changed, added]) {
    expect(await stage.carts.live.find(cart.id)).toStrictEqual(cart);
  }
  expect(await stage.carts.live.find(paid.id)).toStrictEqual(paidNow);
  expect(await find(stage.tableNames.carts, { id: 'payment#p-1' })).toMatchObject({ cartId: paid.id });

  expect(await restoreJson('--from', from)).toMatchObject({ same: 4, missing: 0, copied: 0 });
});

test('--all also replaces what differs, but no payment, expiry or erasure since', async () => {
  const from = await givenBeside();
  const corrupted = await givenChanged(from, completed(), { ...completed(), productName: 'Corrupted' });
  const kept = [
    await givenChanged(from, {}, completed()),
    await givenChanged(from, completed(), completed({ payments: [payment(), payment()] })),
    await givenChanged(from, completed(), {
      ...completed(),
      customerInfo: {},
      personalDataErasedAtMs: nowMs,
    }),
  ];
  const abandoned = await givenChanged(
    from,
    { productName: 'Then' },
    { productName: 'Now', abandonmentRecordedAtMs: nowMs, expiresAtMs: nowMs - 1 },
  );

  expect(await restoreJson('--from', from, '--all')).toMatchObject({ different: 2, stays: 3, copied: 2 });
  expect(await stage.carts.live.find(corrupted.id)).toMatchObject({ productName: 'Course' });
  for (const { deleteAtSeconds: _, ...cart } of kept) {
    expect(await stage.carts.live.find(cart.id)).toMatchObject(cart);
  }
  expect(await stage.carts.live.find(abandoned.id)).toStrictEqual({ ...abandoned, productName: 'Then' });
  expect(await restoreJson('--from', from, '--all')).toMatchObject({ same: 2, different: 0, copied: 0 });
});

/** Does something right before the command's next write. */
const beforeNextWrite = (act: () => Promise<unknown>): void => {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
  const original = Client.prototype.send as (this: unknown, ...args: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(Client.prototype, 'send').mockImplementation(async function (
    this: unknown,
    ...args: unknown[]
  ) {
    if (args[0] instanceof PutItemCommand) {
      spy.mockRestore();
      await act();
    }
    return original.apply(this, args);
  } as never);
  onTestFinished(() => spy.mockRestore());
};

test.each<[string, Partial<Cart> | undefined, readonly string[]]>([
  ['a creation', undefined, []],
  ['a payment', { productName: 'Other' }, ['--all']],
])('%s at the same time wins over the copy', async (_what, before, flags) => {
  const from = await givenBeside();
  const cart = await givenThen(from);
  if (before) await stage.carts.live.create({ ...cart, ...before });
  const other = { ...cart, status: 'completed', payments: [payment()] } as const;
  beforeNextWrite(() => put(stage.tableNames.carts, toItem(other)));

  expect(await restoreJson('--from', from, ...flags)).toMatchObject({ copied: 0, overtaken: 1 });
  expect(await stage.carts.live.find(cart.id)).toStrictEqual(other);
});

test('erasures are applied again, by the ledger and by age, and younger carts are scheduled', async () => {
  const from = await givenBeside();
  const { documents, tableNames, clock } = stage;
  const requested = await givenChanged(from, completed(), {});
  const ledger = createErasureLedger(documents, tableNames.erasures);
  await createCartEraser(documents, ledger, clock.now).erase([
    { tableName: tableNames.carts, cart: requested },
  ]);
  await documents.send(
    new DeleteItemCommand({ TableName: tableNames.carts, Key: { id: { S: requested.id } } }),
  );
  const old = await givenThen(from, completed({ updatedAtMs: nowMs - (PERSONAL_DATA_DAYS + 1) * DAY_MS }));
  const young = await givenThen(from, completed());

  expect(await restoreJson('--from', from)).toMatchObject({ missing: 3, copied: 3, erasedAgain: 2 });
  for (const { id, payments, price } of [requested, old]) {
    expect(await stage.carts.live.find(id)).toMatchObject({
      payments,
      price,
      customerInfo: {},
      meta: {},
      personalDataErasedAtMs: nowMs,
    });
  }
  expect(await stage.carts.live.find(young.id)).toMatchObject({ customerInfo: young.customerInfo });
  const later = () => nowMs + (PERSONAL_DATA_DAYS + 2) * DAY_MS;
  const dependencies = createErasureDependencies(documents, paymentTablesOf(tableNames), {
    personalDataDays: PERSONAL_DATA_DAYS,
    now: later,
  });
  expect((await runErasures(dependencies)).erased.live).toBeGreaterThanOrEqual(1);
  expect(await stage.carts.live.find(young.id)).toMatchObject({ customerInfo: {} });
});

test('a cart past its time to live does not come back, and an expired one sends no second event', async () => {
  const from = await givenBeside();
  const gone = await givenThen(from, { deleteAtSeconds: Math.floor(nowMs / 1_000) });
  const expired = await givenThen(from, { expiresAtMs: nowMs - 1 });
  const open = await givenThen(from);

  expect(await restoreJson('--from', from)).toMatchObject({ expired: 1, missing: 2, copied: 2 });
  expect(await stage.carts.live.find(gone.id)).toBeUndefined();
  const stores = createAbandonmentStores(stage.documents, paymentTablesOf(stage.tableNames), {
    now: () => nowMs + 2 * DAY_MS,
  });
  const record = ({ id }: Cart) => recordAbandonments({ mode: 'live', cartIds: [id] }, stores);
  expect(await record(expired)).toStrictEqual({ recorded: 0 });
  expect(await record(open)).toStrictEqual({ recorded: 1 });
});

describe('what an operator ended since never comes back', () => {
  const restoreTable = async (table: string, from: string): Promise<Counts> => {
    const flags = ['restore', '--table', table, '--at', at, '--from', from, '--yes', '--json'];
    return JSON.parse((await stage.run(flags)).stdout) as Counts;
  };

  /** Copies an item beside, as it is now. */
  const copyBeside = async (from: string, table: Kind, key: Record<string, string>) =>
    put(from, (await find(stage.tableNames[table], key)) ?? {});

  const lose = (table: Kind, key: Record<string, string>): Promise<unknown> => {
    const Key = Object.fromEntries(Object.entries(key).map(([name, S]) => [name, { S }]));
    return stage.documents.send(new DeleteItemCommand({ TableName: stage.tableNames[table], Key }));
  };

  test('keys: one that was revoked or rotated before it was lost, and one that is revoked now', async () => {
    const from = await givenBeside('apiKeys');
    const keys = [];
    for (let index = 0; index < 4; index += 1) keys.push(await stage.issueKey('--mode', 'test'));
    for (const { keyId } of keys) await copyBeside(from, 'apiKeys', { keyId });
    const [lost, revoked, rotated, kept] = keys.map(({ keyId }) => keyId) as [string, string, string, string];
    await stage.runJson('keys', 'revoke', revoked);
    await stage.runJson('keys', 'rotate', rotated);
    await stage.runJson('keys', 'revoke', kept);
    for (const keyId of [lost, revoked, rotated]) await lose('apiKeys', { keyId });

    expect(await restoreTable('ApiKeys', from)).toMatchObject({ missing: 1, ended: 2, stays: 1, copied: 1 });
    const usable = async (keyId: string) => {
      const item = await find(stage.tableNames.apiKeys, { keyId });
      return item !== undefined && item['revokedAtMs'] === undefined;
    };
    expect(await Promise.all([lost, revoked, rotated, kept].map(usable))).toStrictEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('a removed webhook endpoint, and a rotated secret', async () => {
    const create = async () => {
      await stage.givenStore('restored');
      const flags = ['--store', 'restored', '--mode', 'test', '--url', 'https://shop.example/hook'];
      return String((await stage.runJson('webhooks', 'create', ...flags))['id']);
    };
    const [removed, rotated] = [await create(), await create()];
    const endpoints = await givenBeside('webhookEndpoints');
    const secrets = await givenBeside('webhookSecrets');
    for (const id of [removed, rotated]) {
      await copyBeside(endpoints, 'webhookEndpoints', { log: 'test#restored', id });
      await copyBeside(secrets, 'webhookSecrets', { endpointId: id });
    }
    await stage.runJson('webhooks', 'remove', removed);
    await stage.runJson('webhooks', 'rotate', rotated);
    await lose('webhookEndpoints', { log: 'test#restored', id: rotated });
    await lose('webhookSecrets', { endpointId: rotated });

    expect(await restoreTable('WebhookEndpoints', endpoints)).toMatchObject({ ended: 1, copied: 1 });
    expect(await restoreTable('WebhookSecrets', secrets)).toMatchObject({ ended: 2, copied: 0 });
  });

  test('nothing is restored if the audit log cannot be read', async () => {
    const from = await givenBeside('apiKeys');
    stage.aws.logs.onCall(() => ({ __type: 'ResourceNotFoundException' }));
    onTestFinished(() => stage.aws.logs.onCall(() => undefined));
    const flags = ['restore', '--table', 'ApiKeys', '--at', at, '--from', from, '--dry-run'];
    expectFailure(await stage.run(flags), 1, /audit log/);
  });
});

describe('the table beside', () => {
  /** Makes DynamoDB restore: the emulator cannot. The table beside has one cart. */
  const givenRecovery = (cart: Cart, failure?: string) => {
    const requests: Record<string, unknown>[] = [];
    // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
    const original = Client.prototype.send as (this: unknown, ...args: unknown[]) => Promise<unknown>;
    const spy = vi.spyOn(Client.prototype, 'send').mockImplementation(async function (
      this: unknown,
      ...args: unknown[]
    ) {
      const [command] = args;
      if (!(command instanceof RestoreTableToPointInTimeCommand)) return original.apply(this, args);
      if (failure !== undefined) throw Object.assign(new Error('rejected'), { name: failure });
      requests.push({ ...command.input });
      const beside = await givenBeside('carts', command.input.TargetTableName);
      await put(beside, toItem(cart));
      return {};
    } as never);
    onTestFinished(() => spy.mockRestore());
    return requests;
  };

  test('DynamoDB restores it once, a dry run keeps it, and the copy deletes it', async () => {
    const cart = waitingCart({ expiresAtMs: nowMs + DAY_MS, deleteAtSeconds: nowMs });
    const requests = givenRecovery(cart);
    const first = await restoreJson('--dry-run');
    expect(requests).toStrictEqual([
      {
        SourceTableName: stage.tableNames.carts,
        TargetTableName: first['from'],
        RestoreDateTime: new Date(Math.floor(Date.parse(at) / 1_000) * 1_000),
      },
    ]);
    expect(first).toMatchObject({ missing: 1, copied: 0 });
    expect(await restoreJson()).toMatchObject({ from: first['from'], copied: 1 });
    expect(requests).toHaveLength(1);
    expect(await stage.carts.live.find(cart.id)).toStrictEqual(cart);
    // It is deleted: another run restores again.
    expect(await restoreJson('--dry-run')).toMatchObject({ same: 1 });
    expect(requests).toHaveLength(2);

    const cleanup = async () => JSON.parse((await restore(['--cleanup', '--json'])).stdout) as Counts;
    expect(await cleanup()).toMatchObject({ from: first['from'], deleted: true });
    expect(await cleanup()).toMatchObject({ deleted: false });
  });

  test.each([
    ['PointInTimeRecoveryUnavailableException', /point-in-time recovery/],
    ['InvalidRestoreTimeException', /35 days/],
    ['AccessDeniedException', /dynamodb:RestoreTableToPointInTime/],
  ])('%s ends with one sentence', async (failure, words) => {
    givenRecovery(waitingCart(), failure);
    expectFailure(await restore(['--yes']), 1, words);
  });

  test.each<[string, () => Promise<string> | string, RegExp]>([
    ['missing', () => 'missing-table', /does not exist/],
    ['in use by the stage', () => stage.tableNames.testCarts, /in use/],
    ['of another key', () => givenBeside('apiKeys'), /keyId/],
  ])('a table that is %s is rejected', async (_what, name, words) => {
    expectFailure(await restore(['--from', await name(), '--yes']), 1, words);
  });
});

describe('a command line that would do harm ends with exit code 2', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['live mode without a confirmation', ['--from', 'x'], /confirmation/],
    ['--all for keys', ['--table', 'ApiKeys', '--all', '--yes'], /--all/],
    ['a time in the future', ['--at', '2999-01-01T00:00:00Z', '--yes'], /past/],
    ['the ledger of erasures', ['--table', 'Erasures', '--yes'], /--table/],
  ])('%s', async (_what, flags, words) => {
    expectFailure(await restore(flags), 2, words);
  });
});

test('the copy is on the audit log, with its counts', async () => {
  const from = await givenBeside();
  await givenThen(from);
  stage.aws.logs.events.length = 0;
  await restoreJson('--from', from);
  const records = stage.aws.logs.events.map(({ message }) => JSON.parse(message) as unknown);
  expect(records).toMatchObject([
    { command: 'restore', ids: { table: 'Carts', at, from, mode: 'missing' }, outcome: 'begun' },
    { command: 'restore', outcome: 'done', result: { items: 1, copied: 1 } },
  ]);
});
