import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { tableOutputOf, TABLES } from '../../../../infra/stage/tables.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import { deliveryId } from '../../../../lib/deliveries/records/delivery.ts';
import { type LoggedEvent, logKey } from '../../../../lib/events/logged-event.ts';
import { waitingCart } from '../../../support/domain/payments.ts';
import {
  BUS_AND_QUEUES,
  type DeployedOptions,
  givenOperatedService,
  type OperatedService,
} from '../../../support/operators/deployed-stage.ts';
import { saidIn } from '../../../support/programs/expect-sentence.ts';
import { buyerDataOf, newBuyer, type TestBuyer } from './found-buyers.ts';

const { EventDeadLetterQueueUrl, DeliveryDeadLetterQueueUrl } = BUS_AND_QUEUES;

let stage: OperatedService;
let data: ReturnType<typeof buyerDataOf>;
let stateFile: string;

beforeAll(async () => {
  stage = await givenOperatedService();
  data = buyerDataOf(stage);
  return stage.close;
});

beforeEach(() => {
  stateFile = join(mkdtempSync(join(tmpdir(), 'cart-checkout-buyers-')), 'state.json');
  for (const url of [EventDeadLetterQueueUrl, DeliveryDeadLetterQueueUrl]) stage.aws.queues.clear(url);
});

/** Runs a command about a buyer. Its JSON, its exit code, and the last line of standard error. */
const run = async (words: string, { email }: TestBuyer, options: DeployedOptions = {}) => {
  const args = [...words.split(' '), '--email', email, '--state-file', stateFile, '--json'];
  const { exitCode, stdout, stderr } = await stage.run(args, options);
  const result = (stdout === '' ? {} : JSON.parse(stdout)) as Record<string, unknown>;
  return { exitCode, result, said: saidIn(stderr).trimEnd().split('\n').at(-1), stderr };
};

/** Makes an item one of a later release. */
const makeUnreadable = (TableName: string, Key: Record<string, unknown>) =>
  stage.documents.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'SET schemaVersion = :later',
      ExpressionAttributeValues: { ':later': 99 },
    }),
  );

const deliveryKey = (endpointId: string, { id: eventId, recordedAtMs }: LoggedEvent) => ({
  endpointId,
  id: deliveryId({ eventId, recordedAtMs }),
});

describe('items that this release cannot read', () => {
  test('are named, and all others are exported and erased', async () => {
    const buyer = newBuyer();
    const cart = await data.givenCart(buyer);
    const { storeId } = cart;
    const unreadable = await data.givenCart(buyer, { storeId });
    const flags = ['--store', storeId, '--mode', 'test', '--url', 'https://shop.example/hook'];
    const { id: endpointId } = await stage.runJson('webhooks', 'create', ...flags);
    const event = await data.pay(cart);
    const other = await data.pay(unreadable);
    await makeUnreadable(stage.tableNames.testCarts, { id: unreadable.id });
    await makeUnreadable(stage.tableNames.events, {
      log: logKey(other),
      sequence: other.sequence,
    });
    await makeUnreadable(stage.tableNames.webhookEndpoints, { log: logKey(other), id: endpointId });
    const names = [`cart ${unreadable.id}`, `event ${other.id}`];
    const reason = `This release cannot read ${names.join(', ')}.`;

    const exported = await run('buyers export', buyer);
    expect(exported).toMatchObject({
      exitCode: 1,
      result: { carts: [{ id: cart.id }], events: [{ event: { id: event.id } }], unreadable: names },
      said: `The export is incomplete. ${reason}`,
    });
    const counted = { carts: { live: 0, test: 1 }, events: 1, unreadable: names };
    expect(await run('buyers erase --dry-run', buyer)).toMatchObject({
      exitCode: 1,
      result: counted,
      said: `The count is incomplete. ${reason}`,
    });
    const all = [...names, `new events of the store ${storeId} in test mode`];
    expect(await run('buyers erase --yes', buyer)).toMatchObject({
      exitCode: 1,
      result: { ...counted, cartIds: [cart.id], unreadable: all },
      said: `The erasure is incomplete. This release cannot read ${all.join(', ')}.`,
    });
    expect(await stage.carts.test.find(cart.id)).toMatchObject({ customerInfo: {} });
    // A delivery in flight to the endpoint stores no response any more.
    const Key = deliveryKey(endpointId!, event);
    const mark = new GetCommand({ TableName: stage.tableNames.deliveries, Key });
    const { Item } = await stage.documents.send(mark);
    expect(Item).toMatchObject({ responsesErasedAtMs: stage.clock.now() });
    expect(await run('buyers erase --yes', buyer)).toMatchObject({
      exitCode: 1,
      result: { carts: { live: 0, test: 0 }, events: 0, cartIds: [], unreadable: names },
      said: `The erasure is incomplete. ${reason}`,
    });
  });

  test('include an event with a broken body, which no message quotes', async () => {
    const buyer = newBuyer();
    const cart = await data.givenCart(buyer);
    const event = await data.pay(cart);
    const body = `{"data":{"customerInfo":{"email":"${buyer.email}"x}}}`;
    await stage.documents.send(
      new UpdateCommand({
        TableName: stage.tableNames.events,
        Key: { log: logKey(event), sequence: event.sequence },
        UpdateExpression: 'SET paymentBody = :body',
        ExpressionAttributeValues: { ':body': body },
      }),
    );

    const unreadable = [`event ${event.id}`];
    const exported = await run('buyers export', buyer);
    expect(exported).toMatchObject({ exitCode: 1, result: { carts: [{ id: cart.id }], unreadable } });
    const erased = await run('buyers erase --yes', buyer);
    expect(erased).toMatchObject({
      exitCode: 1,
      result: { carts: { test: 1 }, events: 0, cartIds: [cart.id], unreadable },
      said: `The erasure is incomplete. This release cannot read ${unreadable.join()}.`,
    });
    expect(await stage.carts.test.find(cart.id)).toMatchObject({ customerInfo: {} });
    expect(`${exported.stderr}${erased.stderr}`.toLowerCase()).not.toContain(buyer.email.toLowerCase());
  });

  test('include a delivery', async () => {
    const buyer = newBuyer();
    const event = await data.pay(await data.givenCart(buyer));
    const key = deliveryKey(await data.deliver(event), event);
    await makeUnreadable(stage.tableNames.deliveries, key);
    const unreadable = [`delivery ${key.id} to ${key.endpointId}`];
    const result = { events: [{}], deliveries: [], unreadable };
    expect(await run('buyers export', buyer)).toMatchObject({ exitCode: 1, result });
    const erased = { events: 1, deliveries: 1, unreadable };
    expect(await run('buyers erase --dry-run', buyer)).toMatchObject({ exitCode: 1, result: erased });
    expect(await run('buyers erase --yes', buyer)).toMatchObject({ exitCode: 1, result: erased });
  });

  test('leave no text in a delivery, even if none can be read, and a delivery without one counts no more', async () => {
    const buyer = newBuyer();
    const cart = await data.givenCart(buyer);
    const event = await data.pay(cart);
    const key = deliveryKey(await data.deliver(event), event);
    const { testCarts, events, deliveries } = stage.tableNames;
    await makeUnreadable(testCarts, { id: cart.id });
    await makeUnreadable(events, { log: logKey(event), sequence: event.sequence });
    await makeUnreadable(deliveries, key);
    const unreadable = [`cart ${cart.id}`, `event ${event.id}`, `delivery ${key.id} to ${key.endpointId}`];
    const result = { carts: { live: 0, test: 0 }, events: 0, deliveries: 1, unreadable };
    const counted = { exitCode: 1, result: { dryRun: true, ...result } };
    expect(await run('buyers erase --dry-run', buyer)).toMatchObject(counted);
    expect(await run('buyers erase --yes', buyer)).toMatchObject({
      exitCode: 1,
      result: { ...result, cartIds: [] },
    });
    const left = { ...counted.result, deliveries: 0 };
    expect(await run('buyers erase --dry-run', buyer)).toMatchObject({ exitCode: 1, result: left });
    const delivery = { TableName: deliveries, Key: key };
    const { Item } = await stage.documents.send(new GetCommand(delivery));
    expect(JSON.stringify(Item).toLowerCase()).not.toContain(buyer.email.toLowerCase());
    // A later attempt of a delivery without a text stores none either.
    const unmark = { ...delivery, UpdateExpression: 'REMOVE responsesErasedAtMs' };
    await stage.documents.send(new UpdateCommand(unmark));
    await run('buyers erase --yes', buyer);
    const { Item: marked } = await stage.documents.send(new GetCommand(delivery));
    expect(marked).toHaveProperty('responsesErasedAtMs');
  });

  test('count as live if they may be carts of live mode', async () => {
    const buyer = newBuyer();
    const cart = await data.givenCart(buyer);
    const live = await data.givenCart(buyer, { mode: 'live' });
    await makeUnreadable(stage.tableNames.carts, { id: live.id });
    const { exitCode, said } = await run('buyers erase', buyer);
    expect({ exitCode, said }).toMatchObject({ exitCode: 2, said: expect.stringContaining('--yes') });
    expect(await stage.carts.test.find(cart.id)).toStrictEqual(cart);
  });
});

test('a search does not continue that of other data at the same place', async () => {
  const buyer = newBuyer();
  const TableName = `${stage.tableNames.carts}-other`;
  const stack = { status: 'UPDATE_COMPLETE', outputs: stage.outputs };
  const outputs = { ...stage.outputs, [tableOutputOf('carts')]: TableName };
  stage.cloudFormation.stacks.set('CartCheckout-one', { ...stack, outputs });
  const cart = waitingCart({ customerInfo: buyer });
  const givenTable = async () => {
    // Without TTL: DynamoDB Local would delete the cart, whose expiry is in the past of the machine's clock.
    const { ttlAttribute: _, ...definition } = TABLES.carts;
    await prepareTable(stage.documents, TableName, { ...definition, name: TableName });
    await createCartRepository(stage.documents, TableName, stage.clock.now).create(cart);
  };

  await givenTable();
  await run('buyers erase', buyer, { typed: 'no\n' });
  const continued = await run('buyers erase', buyer, { typed: 'no\n' });
  await stage.documents.send(new DeleteTableCommand({ TableName }));
  await givenTable();
  const begun = await run('buyers export', buyer);
  stage.cloudFormation.stacks.set('CartCheckout-one', stack);

  expect(continued.stderr).toMatch(/^Continues the search of/);
  expect(begun.stderr).toMatch(/^Scans /);
  expect(begun.result).toMatchObject({ carts: [{ id: cart.id }] });
});
