import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../functions/operations.ts';
import { OPERATION_USE } from '../../infra/cost/aws-use.ts';
import { DEMO_STORES } from '../../infra/local-access/demo-stores.ts';
import type { ApiResponse } from '../support/contract/contract.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import { LOG_BYTES_MAX, logBytesOf } from '../support/logs/log-bytes.ts';
import { logged } from '../support/logs/log-lines.ts';
import { MERCHANT_OPERATIONS } from '../support/operations/all-rows.ts';
import { givenFaultyService } from '../support/service/faulty-service.ts';
import { givenService } from '../support/service/service.ts';

const storeId = DEMO_STORES[0].id;

/** One request of each operation, in live mode: its line and its response. */
let requests: Record<keyof typeof LOG_BYTES_MAX, { line: Record<string, unknown>; responseBytes: number }>;

beforeAll(async () => {
  const service = await givenService();
  const apiKey = await service.givenKey({ storeId, mode: 'live' });
  const productId = await service.givenProduct({ storeId });
  const logOf = async (send: () => Promise<ApiResponse>) => {
    let response: ApiResponse | undefined;
    const lines = await logged(async () => {
      response = await send();
    });
    expect(lines).toHaveLength(1);
    const { bodyText, body } = response!;
    return { line: lines[0]!, responseBytes: Buffer.byteLength(bodyText), body };
  };
  const createCartCheckout = await logOf(() => service.createCart(cartBody(productId), { apiKey }));
  const { id } = (createCartCheckout.body as { cart: { id: string } }).cart;
  requests = { createCartCheckout, getCart: await logOf(() => service.getCart(id, { apiKey })) };
});

it('the log line of an operation on webhook endpoints has its method and path, without ids', async () => {
  const service = await givenService();
  const apiKey = await service.givenKey();
  const pathParameters = { endpointId: 'we_0123456789abcdefghijABCD', deliveryId: 'evt_1' };
  const [line] = await logged(() => service.send('resendWebhookDelivery', { apiKey, pathParameters }));
  const { method, path } = OPERATIONS.resendWebhookDelivery;
  expect(line).toMatchObject({ operation: 'webhook-endpoints', route: `${method} ${path}`, status: 404 });
  expect(JSON.stringify(line)).not.toMatch(/we_0|evt_1/);
  const { bytes } = logBytesOf({ line: line!, responseBytes: 100 });
  expect(bytes).toBeLessThanOrEqual(OPERATION_USE.resendWebhookDelivery.usual.logBytes);
});

it.each(MERCHANT_OPERATIONS)(
  'the log lines of %s have at most the bytes of the model of costs',
  async (name) => {
    const { send } = givenFaultyService();
    const [line] = await logged(() => send(name));
    const { bytes } = logBytesOf({ line: line!, responseBytes: 100_000 });
    expect(bytes).toBeLessThanOrEqual(OPERATION_USE[name].usual.logBytes);
  },
);

describe.each(['createCartCheckout', 'getCart'] as const)('the log lines of %s', (operation) => {
  it('have as many bytes as the model of costs says, within the bound', () => {
    const { line, responseBytes } = requests[operation];
    expect(line).toMatchObject({
      operation,
      mode: 'live',
      storeId,
      requestId: expect.stringMatching(/^.{36}$/),
    });
    const { bytes } = logBytesOf({ line, responseBytes });
    expect(bytes).toBe(OPERATION_USE[operation].usual.logBytes);
    expect(bytes).toBeLessThanOrEqual(LOG_BYTES_MAX[operation]);
  });

  it('have each fact once, and only fields of this list', () => {
    const { line } = requests[operation];
    const ofRequest = ['requestId', 'status', 'storeId', 'keyId', 'source', 'ms'];
    const ofMetrics = ['_aws', 'stage', 'operation', 'mode', 'ClientErrors'];
    const counted = operation === 'createCartCheckout' ? ['CartsCreated'] : [];
    expect(new Set(Object.keys(line))).toStrictEqual(new Set([...ofRequest, ...ofMetrics, ...counted]));
  });
});
