import { beforeAll, expect, it } from 'vitest';
import type { OperationName, OPERATIONS } from '../../functions/operations.ts';
import { OPERATION_USE } from '../../infra/cost/aws-use.ts';
import { cartEvent } from '../../lib/carts/cart-event.ts';
import type { ApiResponse } from '../support/contract/contract.ts';
import { isWrite, recordUnits } from '../support/database/consumed-units.ts';
import { unlessExempt } from '../support/database/exemptions.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import { eventLogOf } from '../support/domain/event-logs.ts';
import { waitingCart } from '../support/domain/payments.ts';
import { cartIdOf } from '../support/service/http-client.ts';
import { givenService, type TestService } from '../support/service/service.ts';

/** A character of four bytes. */
const WIDE = '\u{1F388}';

/** The largest `meta`: the API counts characters, and DynamoDB bytes. */
const META = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`${index}`.padEnd(2, '-') + WIDE.repeat(38), WIDE.repeat(500)]),
);

/** The fields with the most bytes. */
const FIELDS = {
  meta: META,
  firstName: WIDE.repeat(100),
  lastName: WIDE.repeat(100),
  phone: WIDE.repeat(32),
  lang: 'fr-CA',
  redirectURL: `https://shop.example/${'a'.repeat(2_000)}`,
  cancelURL: `https://shop.example/${'a'.repeat(2_000)}`,
};

const STORE_ID = 'store-of-large-events';

let service: TestService;
let apiKey: string;
let consumed = { reads: 0, writes: 0 };

const create = async (): Promise<ApiResponse> =>
  service.createCart(cartBody(await service.givenProduct(), FIELDS), { apiKey });

/** Resets the units. */
const start = (): void => {
  consumed = { reads: 0, writes: 0 };
};

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
  const log = eventLogOf(service);
  for (let count = 0; count < 12; count += 1) {
    const cart = waitingCart({ storeId: STORE_ID, mode: 'test', meta: META });
    await log.append(cart, { event: cartEvent({ type: 'cart.completed', cart, cause: '' }), writes: [] });
  }
  // Before the first event of a log, its last event is read too.
  const pathParameters = { cartId: cartIdOf(await create()) };
  await service.send('expireCart', { apiKey, pathParameters });
  recordUnits(service.documents, (call) => {
    consumed[isWrite(call) ? 'writes' : 'reads'] += call.units;
  });
});

/** The operations of merchants that use more for the largest carts. */
type LargestOperation = {
  [Name in OperationName]: (typeof OPERATIONS)[Name]['caller'] extends 'merchant'
    ? (typeof OPERATION_USE)[Name] extends { readonly largest: unknown }
      ? Name
      : never
    : never;
}[OperationName];

const REQUESTS = {
  createCartCheckout: async () => {
    const body = cartBody(await service.givenProduct(), FIELDS);
    start();
    return service.createCart(body, { apiKey });
  },
  getCart: async () => {
    const id = cartIdOf(await create());
    start();
    return service.getCart(id, { apiKey });
  },
  expireCart: async () => {
    const pathParameters = { cartId: cartIdOf(await create()) };
    start();
    return service.send('expireCart', { apiKey, pathParameters });
  },
  listEvents: async () => {
    const key = await service.givenKey({ storeId: STORE_ID });
    start();
    return service.send('listEvents', { apiKey: key });
  },
} as const satisfies Readonly<Record<LargestOperation, () => Promise<ApiResponse>>>;

/** The units that DynamoDB Local does not show. */
const EXEMPTIONS: Readonly<Record<string, Parameters<typeof unlessExempt>[0]>> = {
  'expireCart writes': 'units of a transaction',
  'listEvents reads': 'units of a full page',
};

it.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])(
  '%s about the largest carts consumes at least nine tenths of the units of the model of costs, and at most all',
  async (name) => {
    expect((await REQUESTS[name]()).status).toBeLessThan(300);
    const { largest: modelled } = OPERATION_USE[name];
    for (const kind of ['reads', 'writes'] as const) {
      const exemption = EXEMPTIONS[`${name} ${kind}`];
      if (exemption && unlessExempt(exemption, 0) !== 0) continue;
      expect(consumed[kind], kind).toBeGreaterThanOrEqual(0.9 * modelled[kind]);
      expect(consumed[kind], kind).toBeLessThanOrEqual(modelled[kind]);
    }
  },
);
