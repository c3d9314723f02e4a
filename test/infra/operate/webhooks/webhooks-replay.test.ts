import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuditRecord } from '../../../../infra/operate/frame/audit-log.ts';
import type { CartEvent } from '../../../../lib/carts/cart-event.ts';
import type { PaymentResult } from '../../../../lib/carts/payment.ts';
import type { DeliveryMessage } from '../../../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../../../lib/deliveries/records/delivery-repository.ts';
import { deliveryId } from '../../../../lib/deliveries/records/delivery.ts';
import { CART_EVENT_TYPES } from '../../../../lib/events/event-types.ts';
import { createPaymentRepositories } from '../../../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import { eventsOf } from '../../../support/domain/event-logs.ts';
import { paymentTablesOf } from '../../../support/domain/payment-tables.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';
import {
  BUS_AND_QUEUES,
  givenOperatedService,
  type OperatedService,
} from '../../../support/operators/deployed-stage.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const QUEUE = BUS_AND_QUEUES.SlowTestDeliveryQueueUrl;
const SINCE_EVER = ['--since', '2020-01-01T00:00:00Z'];

let stage: OperatedService;
let storeCount = 0;
let storeId: string;

beforeAll(async () => {
  stage = await givenOperatedService();
  return stage.close;
});

beforeEach(async () => {
  storeCount += 1;
  storeId = `replayed-${storeCount}`;
  await stage.givenStore(storeId);
});

/** Records one event of each result, a second apart. */
const givenEvents = async (...results: readonly PaymentResult[]): Promise<readonly CartEvent[]> => {
  const repositories = createPaymentRepositories(
    stage.documents,
    paymentTablesOf(stage.tableNames),
    stage.clock,
  );
  for (const result of results) {
    const cart = waitingCart({ mode: 'test', storeId });
    await stage.carts.test.create(cart);
    const event = { cartId: cart.id, mode: 'test', payment: payment({ result }) } as const;
    stage.clock.advance(1);
    await recordPaymentEvent(event, repositories.test);
  }
  return eventsOf(stage, { storeId, mode: 'test' });
};

/** Creates an endpoint that gets the events of carts: its own creation is an event too. */
const createWebhook = async (events = CART_EVENT_TYPES.join(',')): Promise<string> => {
  const url = 'https://shop.example/hook';
  const args = ['--store', storeId, '--mode', 'test', '--url', url, '--events', events];
  return String((await stage.runJson('webhooks', 'create', ...args))['id']);
};

const messagesFor = (id: string): readonly DeliveryMessage[] =>
  stage.aws.queues
    .bodies(QUEUE)
    .map((body) => JSON.parse(body) as DeliveryMessage)
    .filter(({ endpoint }) => endpoint.endpointId === id);

/** The ids and the result in the audit record of the last change. */
const lastAudited = (): unknown => {
  const { ids, result } = JSON.parse(stage.aws.logs.events.at(-1)?.message ?? '') as AuditRecord;
  return { ids, result };
};

describe('webhooks replay', () => {
  test('sends what was recorded at a time or later, in order, with the old ids and a first attempt', async () => {
    const events = await givenEvents('failed', 'succeeded', 'failed', 'succeeded', 'succeeded');
    const id = await createWebhook();

    const result = await stage.runJson('webhooks', 'replay', id, '--since', events[2]!.timestamp);

    expect(result).toStrictEqual({ id, replayed: 3 });
    expect(lastAudited()).toStrictEqual({
      ids: { endpointId: id, storeId, mode: 'test', since: events[2]!.timestamp },
      result: { replayed: 3 },
    });
    const { sequence: first = 0 } = messagesFor(id)[0]!;
    expect(
      messagesFor(id).map(({ eventId, sequence = 0, attempt }) => [eventId, sequence - first, attempt]),
    ).toStrictEqual(events.slice(2).map((event, index) => [event.id, index, 1]));
  });

  test('sends only the types that the endpoint wants', async () => {
    const events = await givenEvents('failed', 'succeeded', 'failed');
    const id = await createWebhook('cart.completed');
    await stage.runJson('webhooks', 'replay', id, ...SINCE_EVER);

    expect(messagesFor(id).map(({ eventId }) => eventId)).toStrictEqual([events[1]!.id]);
  });

  test('with the time that `enable` names, begins with the event that got a 410', async () => {
    const events = await givenEvents('succeeded', 'succeeded');
    const id = await createWebhook();
    await stage.runJson('webhooks', 'replay', id, ...SINCE_EVER);
    const attempt = { atMs: stage.clock.now(), attempt: 1, status: 410, ms: 5 };
    const deliveries = createDeliveryRepository(
      stage.documents,
      stage.tableNames.deliveries,
      stage.clock.now,
    );
    for (const message of messagesFor(id)) {
      await deliveries.record(message, { status: 'dropped', result: attempt }, stage.clock.now());
    }
    stage.clock.advance(60);
    await stage.run(['webhooks', 'disable', id]);

    const { missedSince = '' } = await stage.runJson('webhooks', 'enable', id);

    expect(missedSince).toBe(events[0]!.timestamp);
    expect(await stage.runJson('webhooks', 'replay', id, '--since', missedSince)).toMatchObject({
      replayed: 2,
    });
  });

  test('sends one event by its id', async () => {
    const events = await givenEvents('failed', 'succeeded', 'failed');
    const id = await createWebhook();
    await stage.runJson('webhooks', 'replay', id, '--event', events[1]!.id);

    expect(messagesFor(id)).toMatchObject([{ eventId: events[1]!.id, type: 'cart.completed' }]);
    expect(lastAudited()).toMatchObject({ ids: { eventId: events[1]!.id }, result: { replayed: 1 } });
  });

  test('sends 10 events a second', async () => {
    await givenEvents(...Array.from({ length: 21 }, () => 'failed' as const));
    const id = await createWebhook();
    const sentBeforePause: number[] = [];
    const sleep = async (ms: number): Promise<void> => {
      expect(ms).toBe(1_000);
      sentBeforePause.push(messagesFor(id).length);
    };

    const { stdout } = await stage.run(['webhooks', 'replay', id, ...SINCE_EVER], { sleep });
    expect(stdout).toMatch(
      new RegExp(
        `^Events replayed to ${id}: 21\\. Look at \`webhooks deliveries ${id} --stage \\S+\`\\.$`,
        'm',
      ),
    );
    expect([...sentBeforePause, messagesFor(id).length]).toStrictEqual([10, 20, 21]);
  });

  test('sends no event of another store or mode', async () => {
    await givenEvents('failed');
    storeId = `${storeId}-other`;
    await stage.givenStore(storeId);
    const id = await createWebhook();

    expect(await stage.runJson('webhooks', 'replay', id, ...SINCE_EVER)).toMatchObject({ replayed: 0 });
  });

  test('rejects an unknown event, a missing option, a malformed time, and a disabled endpoint', async () => {
    const id = await createWebhook();
    const run = (...flags: readonly string[]) => stage.run(['webhooks', 'replay', id, ...flags]);

    expectFailure(await run('--event', `evt_${'0'.repeat(32)}`), 1, /has no event evt_0/);
    expectFailure(await run('--event', 'evt_0'), 2, /32 hexadecimal digits/);
    expectFailure(await run(), 2, /--since or --event/);
    expectFailure(await run('--since', 'yesterday'), 2, /RFC 3339/);
    await stage.run(['webhooks', 'disable', id]);
    expectFailure(await run(...SINCE_EVER), 1, /disabled: enable it/);
  });
});

describe('webhooks enable', () => {
  const givenDisabled = async (): Promise<{ readonly id: string; readonly disabledAtMs: number }> => {
    const id = await createWebhook();
    await stage.run(['webhooks', 'disable', id]);
    return { id, disabledAtMs: stage.clock.now() };
  };

  /** The item of a delivery that was dropped. */
  const droppedItem = (endpointId: string, recordedAtMs: number, eventId = 'evt_1') => {
    const id = deliveryId({ recordedAtMs, eventId });
    return { endpointId, id, eventId, type: 'cart.completed', recordedAtMs, latest: 'dropped' };
  };

  test('changes nothing if it cannot read a delivery, and names the reason', async () => {
    const { id, disabledAtMs } = await givenDisabled();
    const Item = { ...droppedItem(id, disabledAtMs), schemaVersion: 2 };
    await stage.documents.send(new PutCommand({ TableName: stage.tableNames.deliveries, Item }));
    expectFailure(await stage.run(['webhooks', 'enable', id]), 1, /delivery has the schema version 2.*\.\n$/);
    const { webhooks } = await stage.runJson<{ webhooks: object[] }>('webhooks', 'list', '--store', storeId);
    expect(webhooks).toMatchObject([{ id, state: 'disabled' }]);
  });
});
