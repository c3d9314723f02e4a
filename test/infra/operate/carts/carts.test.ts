import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { CARTS, formatScanCursor } from '../../../../infra/operate/carts/commands.ts';
import { retrievedCartSchema } from '../../../../lib/carts/cart-view-schema.ts';
import type { Payment } from '../../../../lib/carts/payment.ts';
import { deliveryMessageOf } from '../../../../lib/deliveries/queue/queue-message.ts';
import type { AttemptResult } from '../../../../lib/deliveries/records/attempt.ts';
import {
  createDeliveryRepository,
  type DeliveryUpdate,
} from '../../../../lib/deliveries/records/delivery-repository.ts';
import { generateEndpointId } from '../../../../lib/endpoints/endpoint.ts';
import { createEventRepository } from '../../../../lib/events/event-repository.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import { cartBody } from '../../../support/domain/cart-body.ts';
import { storeEndpoint } from '../../../support/domain/endpoints.ts';
import { paymentRecordRepositoryOf } from '../../../support/domain/event-logs.ts';
import { CREATED_AT_MS, payment, waitingCart } from '../../../support/domain/payments.ts';
import { STORE_ID } from '../../../support/functions/dependencies.ts';
import { givenOperatedService, type OperatedService } from '../../../support/operators/deployed-stage.ts';
import { interceptCalls } from '../../../support/operators/intercept-calls.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';
import { BUYER } from '../../../support/secrets.ts';
import { cartIdOf } from '../../../support/service/http-client.ts';

let stage: OperatedService;
let cartId: string;

/** Records a payment on the cart. */
const pay = (paid: Payment, id = cartId) => {
  const paymentRecords = paymentRecordRepositoryOf(stage, 'testCarts', stage.clock.now);
  return recordPaymentEvent(
    { cartId: id, mode: 'test', payment: paid },
    { carts: stage.carts.test, paymentRecords },
  );
};

beforeAll(async () => {
  stage = await givenOperatedService();
  const apiKey = await stage.givenKey();
  cartId = cartIdOf(await stage.createCart(cartBody(await stage.givenProduct()), { apiKey }));
  for (const result of ['failed', 'succeeded'] as const) {
    stage.clock.advance(60);
    const occurredAtMs = stage.clock.now();
    await pay(payment({ result, occurredAtMs }));
  }
  return stage.close;
});

describe('carts show', () => {
  test('its JSON may have each field of a retrieved cart', () => {
    const declared = CARTS.show.json.replaceAll(/\([^)]*\)|\?/g, '').split(' ');
    // It needs no stage, so it has no address of one.
    const { redirectUrl: _, ...fields } = retrievedCartSchema.shape;
    expect(declared).toStrictEqual(expect.arrayContaining(Object.keys(fields)));
  });

  test('shows the cart, its buyer and its timeline', async () => {
    const shown = await stage.runJson<Record<string, unknown>>('carts', 'show', cartId.toUpperCase());
    expect(shown).toMatchObject({
      id: cartId,
      storeId: STORE_ID,
      mode: 'test',
      status: 'completed',
      customerInfo: BUYER,
      duplicatePaymentIds: [],
      timeline: [
        { what: 'created' },
        { what: 'paymentFailed' },
        { what: 'event', type: 'cart.payment_failed' },
        { what: 'paymentSucceeded' },
        { what: 'event', type: 'cart.completed' },
      ],
    });
  });

  test('shows a person the timeline without the buyer', async () => {
    const { stdout } = await stage.run(['carts', 'show', cartId]);
    expect(stdout).toContain(`Cart ${cartId}`);
    expect(stdout).toMatch(
      /^ {2}\S+Z {2}paymentFailed .+\n.+ event cart\.payment_failed .+\n {2}\S+Z {2}paymentSucceeded .+$/m,
    );
    expect(stdout).not.toContain(BUYER.email);
    expect(stdout).not.toContain('refund');
  });

  test('names every duplicate payment, with the payment that completed the cart', async () => {
    const cart = waitingCart({ mode: 'test', storeId: randomUUID() });
    const { id } = (await stage.carts.test.create(cart)).cart;
    const [completing, earlier, later] = [0, -1_000, 1_000].map((ms) =>
      payment({ occurredAtMs: CREATED_AT_MS + 60_000 + ms }),
    );
    for (const each of [completing, earlier, later]) await pay(each!, id);
    const { paymentId } = completing!;
    const duplicates = [earlier!.paymentId, later!.paymentId];
    const shown = await stage.runJson<{ timeline: { what: string }[] }>('carts', 'show', id);
    expect(shown).toMatchObject({ paymentId, duplicatePaymentIds: duplicates });
    expect(shown.timeline.filter(({ what }) => what !== 'event')).toMatchObject([
      { what: 'created' },
      { what: 'duplicatePayment', payment: earlier },
      { what: 'paymentSucceeded', payment: completing },
      { what: 'duplicatePayment', payment: later },
    ]);
    const types = ['cart.completed', 'cart.duplicate_payment', 'cart.duplicate_payment'];
    expect(shown.timeline.filter(({ what }) => what === 'event')).toMatchObject(
      types.map((type) => ({ type })),
    );
    const { stdout } = await stage.run(['carts', 'show', id]);
    expect(stdout).toContain(`, payment ${paymentId}\n`);
    for (const duplicate of duplicates)
      expect(stdout).toContain(`Duplicate payment ${duplicate}: refund 19.99 EUR\n`);
    expect(stdout.match(/^ {2}\S+Z {2}duplicatePayment /gm)).toHaveLength(2);
  });

  test('shows the deliveries of its events, each attempt at its time and the status with the last', async () => {
    const storeId = randomUUID();
    const { id } = (await stage.carts.test.create(waitingCart({ mode: 'test', storeId }))).cart;
    await pay(payment({ occurredAtMs: stage.clock.now() }), id);
    const { documents, tableNames } = stage;
    const endpoint = { storeId, mode: 'test', endpointId: generateEndpointId() } as const;
    await storeEndpoint(stage, { ...endpoint, url: 'https://shop.example', createdAtMs: 0 });
    const event = (await createEventRepository(documents, tableNames.events).last(endpoint))!.event!;
    const atMs = event.recordedAtMs;
    const record = (number: number, result: AttemptResult, update: Omit<DeliveryUpdate, 'attempt'>) => {
      const attempt = { atMs: atMs + number * 1_000, attempt: number, ...result };
      const message = deliveryMessageOf(endpoint, event);
      return createDeliveryRepository(documents, tableNames.deliveries, stage.clock.now).record(
        message,
        { ...update, result: attempt },
        atMs,
      );
    };
    await record(1, { error: 'timeout', ms: 10 }, { status: 'retrying' });
    await record(
      2,
      { status: 500, ms: 10 },
      { status: 'retrying', next: { attempt: 3, atMs: atMs + 62_000 } },
    );

    const { stdout } = await stage.run(['carts', 'show', id]);

    const to = `delivery to ${endpoint.endpointId}  attempt`;
    const [, ...lines] = stdout.slice(stdout.indexOf('event cart.completed')).trimEnd().split('\n');
    const after = (ms: number) => new Date(atMs + ms).toISOString();
    expect(lines).toStrictEqual([
      `  ${after(1_000)}  ${to} 1: timeout`,
      `  ${after(2_000)}  ${to} 2: 500  retrying, next attempt ${after(62_000)}`,
    ]);
  });

  test('reports an unknown id and an invalid one', async () => {
    const unknown = randomUUID();
    const words = new RegExp(`^No cart has the id ${unknown}\\.\n$`);
    expectFailure(await stage.run(['carts', 'show', unknown]), 1, words);
    expectFailure(await stage.run(['carts', 'show', 'cart-1']), 2, /^A cart id is a UUID/);
  });
});

describe('carts list', () => {
  interface Page {
    readonly carts: readonly { readonly id: string; readonly createdAt: string }[];
    readonly cursor?: string;
  }

  const list = async (...flags: readonly string[]): Promise<Page> => {
    const { exitCode, stdout } = await stage.run(['carts', 'list', '--json', ...flags]);
    expect(exitCode).toBe(0);
    return JSON.parse(stdout) as Page;
  };

  /** Stores a test cart for each time after the creation of the others, in minutes. */
  const givenCarts = async (...minutes: readonly number[]): Promise<string> => {
    const storeId = await stage.givenStore(`store-${randomUUID().slice(0, 8)}`);
    for (const minute of minutes) {
      const createdAtMs = CREATED_AT_MS + minute * 60_000;
      await stage.carts.test.create(waitingCart({ storeId, mode: 'test', createdAtMs }));
    }
    return storeId;
  };

  test("shows a store's carts, optionally of one status, without buyers", async () => {
    expect(await list('--store', STORE_ID)).toMatchObject({ carts: [{ id: cartId, status: 'completed' }] });
    const completed = await list('--store', STORE_ID, '--status', 'completed');
    expect(completed).toMatchObject({ carts: [{ id: cartId, storeId: STORE_ID }] });
    expect(JSON.stringify(completed)).not.toContain(BUYER.email);
    expect(await list('--store', STORE_ID, '--status', 'waiting_payment')).toStrictEqual({ carts: [] });
    expect(await list('--store', await stage.givenStore('another-store'))).toStrictEqual({ carts: [] });
  });

  test('shows the carts of either mode', async () => {
    const storeId = await stage.givenStore(randomUUID());
    const create = async (mode: Mode) =>
      (await stage.carts[mode].create(waitingCart({ storeId, mode }))).cart.id;
    const live = await create('live');
    const inTest = await create('test');
    const idsOf = async (...flags: readonly string[]) =>
      (await list('--store', storeId, ...flags)).carts.map(({ id }) => id).toSorted();
    expect(await idsOf()).toStrictEqual([live, inTest].toSorted());
    expect(await idsOf('--mode', 'live')).toStrictEqual([live]);
    expect(await idsOf('--mode', 'test')).toStrictEqual([inTest]);
    for (const id of [live, inTest]) expect(await stage.runJson('carts', 'show', id)).toMatchObject({ id });
  });

  test.each([1, 4, 100])(
    'has each cart of both tables once in its pages of up to %i, the newest of a page first, until there is no cursor',
    async (limit) => {
      const storeId = await givenCarts(1, 2, 3, 4, 5);
      // DynamoDB ends a call at 1 MB.
      const meta = { text: 'x'.repeat(100_000) };
      for (let minute = 6; minute <= 17; minute += 1) {
        const createdAtMs = CREATED_AT_MS + minute * 60_000;
        await stage.carts.live.create(waitingCart({ storeId, createdAtMs, meta }));
      }
      const created: string[] = [];
      let cursor: string | undefined;
      do {
        const flags = ['--limit', String(limit), ...(cursor ? ['--cursor', cursor] : [])];
        const page = await list('--store', storeId, ...flags);
        const times = page.carts.map(({ createdAt }) => createdAt);
        expect(times.length).toBeLessThanOrEqual(limit);
        expect(times).toStrictEqual(times.toSorted().toReversed());
        created.push(...times);
        ({ cursor } = page);
      } while (cursor);
      expect(created.toSorted()).toStrictEqual(
        Array.from({ length: 17 }, (_, index) =>
          new Date(CREATED_AT_MS + (index + 1) * 60_000).toISOString(),
        ),
      );
    },
  );

  test('without a store, shows the carts of the whole stage in a time range', async () => {
    const [first, second] = [await givenCarts(100, 101), await givenCarts(101, 102)];
    const at = (minute: number) => new Date(CREATED_AT_MS + minute * 60_000).toISOString();
    const { stdout } = await stage.run(['carts', 'list', '--since', at(101), '--until', at(102)]);
    expect(stdout).toMatch(/^ID +STORE +MODE /);
    expect(stdout.match(new RegExp(`${first}|${second}`, 'g'))?.toSorted()).toStrictEqual(
      [first, second].toSorted(),
    );
  });

  test('says the cost before it reads', async () => {
    const { stdout, stderr } = await stage.run(['carts', 'list', '--store', STORE_ID]);
    expect(stderr).toMatch(
      /^Scans at most about [\d,]+ items?: \d+ read units?, less than \$0\.01\.\nDynamoDB counts .+\n$/,
    );
    expect(stdout).not.toContain('There may be more');
    const rejected = await stage.run(['carts', 'list', '--store', 'unheard-of']);
    expect(rejected.stderr).not.toContain('Reads');
  });

  test('a read that fails erases the line with its progress, and then says why', async () => {
    interceptCalls(async (command) => {
      if (!(command instanceof ScanCommand)) return undefined;
      throw Object.assign(new Error('slow'), { name: 'ThrottlingException' });
    });
    const { stderr } = await stage.run(['carts', 'list'], { typed: '' });
    expect(stderr).toContain('Reading\r\u001b[2KDynamoDB throttles');
  });

  test('Ctrl-C ends it with a cursor that continues', async () => {
    const storeId = await givenCarts(1);
    const { stdout } = await stage.run(['carts', 'list', '--store', storeId], { stop: AbortSignal.abort() });
    const [, cursor = ''] = /--cursor (\S+)\n$/.exec(stdout) ?? [];
    const rest = await list('--store', storeId, '--cursor', cursor);
    expect(stdout.match(/ waiting_payment | abandoned /g) ?? []).toHaveLength(1 - rest.carts.length);
    expect(rest.cursor).toBeUndefined();
  });

  test.each(['', 'payment#', 'reports#', 'actions#'])(
    'continues after any item of the tables: %sUUID',
    async (prefix) => {
      const after = { id: `${prefix}${randomUUID()}` };
      const page = await list('--cursor', formatScanCursor({ table: 1, after }));
      expect(page.cursor).toBeUndefined();
    },
  );

  test.each([
    ['a cursor of another kind', ['--cursor', 'abc'], /cursor that `carts list` prints/],
    ['the cursor of a list with another mode', ['--mode', 'live', '--cursor', 'MSA'], /repeat them/],
    ['a limit above 10,000', ['--limit', '10001'], /at most 10000/],
    ['a time without an offset', ['--since', '2026-11-20T14:00:00'], /RFC 3339/],
  ])('rejects %s', async (_what, flags, words) => {
    expectFailure(await stage.run(['carts', 'list', ...flags]), 2, words);
  });

  test('shows a person a table', async () => {
    const { stdout } = await stage.run(['carts', 'list', '--store', STORE_ID]);
    expect(stdout).toMatch(/^ID +MODE +STATUS +CREATED \(UTC\) +PRODUCT +PRICE\n/);
    expect(stdout).toMatch(/^\S{36} {2}test {2}completed {2}2026-01-15 12:30 {2}product-\S+ +19\.99 EUR$/m);
  });
});
