import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliveryMessageOf } from '../../../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../../../lib/deliveries/records/delivery-repository.ts';
import { createEventRepository } from '../../../../lib/events/event-repository.ts';
import { logKey } from '../../../../lib/events/logged-event.ts';
import { createErasureLedger } from '../../../../lib/operators/erasures/erasure-ledger.ts';
import { recordAndEraseCarts } from '../../../../lib/operators/erasures/record-and-erase-carts.ts';
import {
  BUS_AND_QUEUES,
  type DeployedOptions,
  givenOperatedService,
  type OperatedService,
} from '../../../support/operators/deployed-stage.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';
import { buyerDataOf, newBuyer, type TestBuyer } from './found-buyers.ts';

const { EventDeadLetterQueueUrl, DeliveryDeadLetterQueueUrl, SlowTestDeliveryQueueUrl } = BUS_AND_QUEUES;

let stage: OperatedService;
let data: ReturnType<typeof buyerDataOf>;
let stateFile: string;

beforeAll(async () => {
  stage = await givenOperatedService();
  data = buyerDataOf(stage);
  return stage.close;
});

beforeEach(() => {
  stateFile = join(mkdtempSync(join(tmpdir(), 'cart-checkout-buyers-')), 'search', 'state.json');
  for (const url of [EventDeadLetterQueueUrl, DeliveryDeadLetterQueueUrl]) stage.aws.queues.clear(url);
});

interface Result {
  readonly carts: object;
  readonly events: readonly object[];
  readonly deliveries: readonly object[];
}

const runBuyers = async (
  name: 'erase' | 'export',
  { email }: TestBuyer,
  flags: readonly string[] = [],
  options: DeployedOptions = {},
) => {
  const args = ['buyers', name, '--email', email, '--state-file', stateFile, '--json', ...flags];
  return stage.run(args, options);
};

const runJson = async <Output = Record<string, unknown>>(
  ...args: Parameters<typeof runBuyers>
): Promise<Output> => {
  const { exitCode, stdout, stderr } = await runBuyers(...args);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^Scans /) });
  return JSON.parse(stdout) as Output;
};

const erase = (buyer: TestBuyer, ...flags: readonly string[]) => runJson('erase', buyer, ['--yes', ...flags]);
const exported = (buyer: TestBuyer, ...flags: readonly string[]) => runJson<Result>('export', buyer, flags);

const everyText = async (): Promise<string> => JSON.stringify(await data.everything()).toLowerCase();

const counts = (live: number, inTest: number, events: number, deliveries: number) => ({
  carts: { live, test: inTest },
  events,
  deliveries,
});

describe('buyers export', () => {
  test('prints the carts of the address in any case, with their payments, events and deliveries', async () => {
    const buyer = newBuyer();
    const cart = await data.givenCart(buyer);
    const event = await data.pay(cart);
    const endpointId = await data.deliver(event);
    const live = await data.givenCart({ ...buyer, email: buyer.email.toUpperCase() }, { mode: 'live' });
    await data.pay(await data.givenCart({ ...buyer, email: `not.${buyer.email}` }));

    const result = await exported(buyer);
    expect(result).toMatchObject({ email: buyer.email.toLowerCase(), exportedAt: expect.any(String) });
    expect(result.carts).toHaveLength(2);
    expect(result.carts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: cart.id,
          storeId: cart.storeId,
          mode: 'test',
          customerInfo: buyer,
          meta: cart.meta,
          returnUrl: cart.returnUrl,
          payments: [expect.objectContaining({ amount: 19.99, occurredAt: expect.any(String) })],
        }),
        expect.objectContaining({ id: live.id, mode: 'live', payments: [] }),
      ]),
    );
    const { storeId, mode } = event;
    expect(result.events).toStrictEqual([{ storeId, mode, event: JSON.parse(event.body) }]);
    expect(result.deliveries).toMatchObject([{ endpointId, eventId: event.id, attempts: [{}, {}, {}] }]);
  });

  test('prints the carts of one store with --store, and nothing for an unknown buyer', async () => {
    const buyer = newBuyer();
    const [first, second] = [await data.givenCart(buyer), await data.givenCart(buyer)];
    const event = await data.pay(first);
    await data.pay(second);
    const ofStore = await exported(buyer, '--store', first.storeId);
    expect(ofStore).toMatchObject({ carts: [{ id: first.id }], events: [{ event: { id: event.id } }] });
    expect(ofStore.events).toHaveLength(1);
    expect(await exported(newBuyer())).toMatchObject({ carts: [], events: [], deliveries: [] });
  });

  test('needs an e-mail address, which no message repeats, and a known store', async () => {
    const buyer = newBuyer();
    const invalid = await runBuyers('export', { ...buyer, email: 'Zsofia Quackenbush' });
    expectFailure(invalid, 2, /^--email must be one e-mail address, or - for standard input\.\n$/);
    const unknown = await runBuyers('export', buyer, ['--store', 'unknown-store']);
    expectFailure(unknown, 1, /^There is no store unknown-store/);
  });

  test('reads the address from standard input', async () => {
    const buyer = newBuyer();
    const { id } = await data.givenCart(buyer);
    const { exitCode, stdout } = await runBuyers('export', { ...buyer, email: '-' }, [], {
      typed: `${buyer.email}\n`,
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ carts: [{ id }] });
  });
});

describe('buyers erase', () => {
  test('erases a buyer from every table, keeps payments, and leaves other buyers alone', async () => {
    const [buyer, other] = [newBuyer(), newBuyer()];
    const cart = await data.givenCart(buyer);
    const event = await data.pay(cart);
    await data.deliver(event);
    const live = await data.givenCart({ ...buyer, email: buyer.email.toUpperCase() }, { mode: 'live' });
    const beside = await data.givenCart(other, { storeId: cart.storeId });
    const besideEvent = await data.pay(beside);
    await data.deliver(besideEvent);
    const before = await stage.carts.test.find(cart.id);

    const erased = await erase(buyer);
    expect(erased).toMatchObject({
      ...counts(1, 1, 1, 1),
      cartIds: expect.arrayContaining([cart.id, live.id]),
    });

    const text = await everyText();
    expect(text).not.toContain(buyer.email.toLowerCase());
    expect(text).toContain(other.email.toLowerCase());
    const { status, payments, paymentId, updatedAtMs, price } = before!;
    expect(await stage.carts.test.find(cart.id)).toMatchObject({
      status,
      payments,
      paymentId,
      updatedAtMs,
      price,
      customerInfo: {},
      meta: {},
      personalDataErasedAtMs: stage.clock.now(),
    });
    const log = createEventRepository(stage.documents, stage.tableNames.events);
    const found = await log.find(cart, besideEvent.sequence, stage.clock.now());
    expect(found).toStrictEqual(besideEvent);
    const ledger = createErasureLedger(stage.documents, stage.tableNames.erasures);
    expect(await ledger.find([cart.id, live.id, beside.id])).toStrictEqual(new Set([cart.id, live.id]));
  });

  test('changes nothing with --dry-run, and nothing when it is repeated', async () => {
    const buyer = newBuyer();
    const event = await data.pay(await data.givenCart(buyer));
    await data.deliver(event);
    // A response without a text is nothing to erase.
    const nowMs = stage.clock.now();
    const silent = deliveryMessageOf({ ...event, endpointId: 'we_silent' }, event);
    const attempt = { atMs: nowMs, attempt: 1, status: 204, ms: 5 };
    const deliveries = createDeliveryRepository(
      stage.documents,
      stage.tableNames.deliveries,
      stage.clock.now,
    );
    await deliveries.record(silent, { status: 'succeeded', result: attempt }, nowMs);
    const before = await data.everything();
    expect(await erase(buyer, '--dry-run')).toStrictEqual({ dryRun: true, ...counts(0, 1, 1, 1) });
    expect(await data.everything()).toStrictEqual(before);
    await erase(buyer);
    const after = await data.everything();
    expect(await erase(buyer)).toStrictEqual({ ...counts(0, 0, 0, 0), cartIds: [] });
    expect(await data.everything()).toStrictEqual(after);
  });

  test('erases the carts of one store with --store', async () => {
    const buyer = newBuyer();
    const [first, second] = [await data.givenCart(buyer), await data.givenCart(buyer)];
    expect(await erase(buyer, '--store', first.storeId)).toMatchObject({ cartIds: [first.id] });
    expect(await stage.carts.test.find(second.id)).toStrictEqual(second);
  });

  test('asks before it changes live mode, with the counts and without the address', async () => {
    const buyer = newBuyer();
    const cart = await data.givenCart(buyer, { mode: 'live' });
    const declined = await runBuyers('erase', buyer, [], { typed: 'no\n' });
    expect(declined).toMatchObject({ exitCode: 1, stdout: '' });
    expect(declined.stderr).toContain(
      "Permanently erasing the buyer's data of 1 live cart and 0 test carts, 0 events and 0 deliveries on the stage one (eu-west-1, account 123456789012). Type yes to continue: ",
    );
    expect(declined.stderr).toMatch(/Searching [^\r]*\d of \d/);
    expect((await runBuyers('erase', buyer)).exitCode).toBe(2);
    expect(await stage.carts.live.find(cart.id)).toStrictEqual(cart);

    const confirmed = await runBuyers('erase', buyer, [], { typed: 'yes\n' });
    expect(confirmed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Continues the search') });
    expect(await stage.carts.live.find(cart.id)).toMatchObject({ customerInfo: {} });
  });

  test('also erases an event that a payment records after the search, and its delivery', async () => {
    const buyer = newBuyer();
    const cart = await data.givenCart(buyer);
    // The search is complete, and the operator hesitates.
    await data.givenCart(buyer, { mode: 'live', storeId: cart.storeId });
    await runBuyers('erase', buyer, [], { typed: 'no\n' });
    const flags = ['--store', cart.storeId, '--mode', 'test', '--url', 'https://shop.example/hook'];
    const { id: endpointId } = await stage.runJson('webhooks', 'create', ...flags);
    const event = await data.pay(cart);
    const message = deliveryMessageOf({ ...event, endpointId: endpointId! }, event);
    const attempt = {
      atMs: stage.clock.now(),
      attempt: 1,
      status: 200,
      ms: 5,
      response: event.body.slice(0, 500),
    };
    const deliveries = createDeliveryRepository(
      stage.documents,
      stage.tableNames.deliveries,
      stage.clock.now,
    );
    await deliveries.record(message, { status: 'succeeded', result: attempt }, stage.clock.now());

    const { stdout } = await runBuyers('erase', buyer, ['--yes']);
    expect(JSON.parse(stdout)).toMatchObject(counts(1, 1, 1, 1));
    expect(await everyText()).not.toContain(buyer.email.toLowerCase());
    await stage.runJson('webhooks', 'replay', endpointId!, '--event', event.id);
    const [replayed = ''] = stage.aws.queues.bodies(SlowTestDeliveryQueueUrl);
    expect(JSON.parse(replayed)).toMatchObject({ eventId: event.id });
    expect(replayed.toLowerCase()).not.toContain(buyer.email.toLowerCase());
  });

  test('also erases the events of carts that are deleted, or that an interrupted run erased', async () => {
    const buyer = newBuyer();
    const cart = await data.givenCart(buyer);
    const event = await data.pay(cart);
    await data.deliver(event);
    const ledger = createErasureLedger(stage.documents, stage.tableNames.erasures);
    const found = [{ tableName: stage.tableNames.testCarts, cart }];
    await recordAndEraseCarts(stage.documents, ledger, found, stage.clock.now);

    expect(await erase(buyer)).toMatchObject(counts(0, 0, 1, 1));
    expect(await everyText()).not.toContain(buyer.email.toLowerCase());
  });

  test('reaches what waits: a redrive after it sends the event without the buyer', async () => {
    const buyer = newBuyer();
    const event = await data.pay(await data.givenCart(buyer));
    const letter = { reason: 'rejected', log: logKey(event), sequence: event.sequence };
    stage.aws.queues.put(EventDeadLetterQueueUrl, JSON.stringify(letter));
    await erase(buyer);

    expect(await stage.runJson('dead-letters', 'redrive', '--yes')).toStrictEqual({ redriven: 1, left: 0 });
    const sent = stage.aws.entries.find(({ Detail }) => Detail.includes(event.id));
    expect(JSON.parse(sent?.Detail ?? '')).toMatchObject({
      id: event.id,
      data: { customerInfo: {}, meta: {} },
    });
  });
});
