import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationOf } from '../../functions/operations.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { callerOf, type ClientOutcome, testedClients, stopClients } from '../support/examples/clients.ts';
import {
  startWebhookReceiver,
  verifyWebhook,
  type WebhookReceiver,
} from '../support/http/webhook-receiver.ts';
import { givenSharedStage, type TestStage } from '../support/programs/stage-process.ts';
import { BUYER } from '../support/secrets.ts';
import { givenResponses, type ScriptedResponse } from './support/scripted-api.ts';

const KEY = generateApiKey('test');
const ID = 'we_0123456789abcdefghijABCD';
const ENDPOINTS = '/api/v1/stores/webhook-endpoints';

let stage: TestStage;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stage = await givenSharedStage();
  receiver = await startWebhookReceiver();
});

afterAll(async () => {
  stopClients();
  await receiver.close();
});

/** The value of a call that succeeded. */
const valueOf = async (outcome: Promise<ClientOutcome>): Promise<Readonly<Record<string, unknown>>> => {
  const { value, error } = await outcome;
  expect(error).toBeUndefined();
  return value as Readonly<Record<string, unknown>>;
};

/** The method of each operation on endpoints with its arguments, its request, and a member of a complete response. */
const METHODS = {
  createWebhookEndpoint: [
    'createWebhookEndpoint',
    [{ url: 'https://a.example/' }],
    'POST',
    ENDPOINTS,
    'webhookEndpoint',
  ],
  listWebhookEndpoints: ['listWebhookEndpoints', [], 'GET', ENDPOINTS, 'webhookEndpoints'],
  getWebhookEndpoint: ['retrieveWebhookEndpoint', [ID], 'GET', `${ENDPOINTS}/${ID}`, 'id'],
  updateWebhookEndpoint: [
    'updateWebhookEndpoint',
    [ID, { enabled: false }],
    'PATCH',
    `${ENDPOINTS}/${ID}`,
    'id',
  ],
  deleteWebhookEndpoint: ['deleteWebhookEndpoint', [ID], 'DELETE', `${ENDPOINTS}/${ID}`, 'deleted'],
  rotateWebhookSecret: ['rotateWebhookSecret', [ID], 'POST', `${ENDPOINTS}/${ID}/rotate-secret`, 'secret'],
  testWebhookEndpoint: ['testWebhookEndpoint', [ID], 'POST', `${ENDPOINTS}/${ID}/test?`, 'deliveryId'],
  listWebhookDeliveries: [
    'listWebhookDeliveries',
    [ID],
    'GET',
    `${ENDPOINTS}/${ID}/deliveries?`,
    'deliveries',
  ],
  resendWebhookDelivery: [
    'resendWebhookDelivery',
    [ID, 'a/b'],
    'POST',
    `${ENDPOINTS}/${ID}/deliveries/a%2Fb/resend`,
    'deliveryId',
  ],
} as const satisfies Readonly<Record<OperationOf<'webhook-endpoints'>, readonly unknown[]>>;

/** A success without any member of a complete response. */
const EMPTY: ScriptedResponse = { status: 200, body: {} };

describe.each(testedClients())('the client for $language', (language) => {
  const onScript = async (...responses: readonly ScriptedResponse[]) => {
    const { baseUrl, requests } = await givenResponses(...responses);
    return { requests, call: callerOf(language, { baseUrl, apiKey: KEY }) };
  };

  test('manages an endpoint on a stage, from its creation to its deletion', async () => {
    const apiKey = await stage.givenKey({ storeId: randomUUID(), limit: 1_000 });
    const call = callerOf(language, { baseUrl: stage.baseUrl, apiKey });
    const idempotencyKey = randomUUID();
    const create = () => valueOf(call('createWebhookEndpoint', [{ url: receiver.url }], { idempotencyKey }));
    const { webhookEndpoint, secret, ...created } = await create();
    expect(created).toStrictEqual({ idempotencyKey, replayed: false });
    expect(secret).toMatch(/^whsec_/);
    expect(await create()).toStrictEqual({ webhookEndpoint, idempotencyKey, replayed: true });

    const { id } = webhookEndpoint as { id: string };
    expect(await valueOf(call('listWebhookEndpoints'))).toMatchObject({ webhookEndpoints: [{ id }] });
    const changes = { eventTypes: ['cart.abandoned'] };
    expect(await valueOf(call('updateWebhookEndpoint', [id, changes]))).toMatchObject({ id, ...changes });
    expect(await valueOf(call('retrieveWebhookEndpoint', [id]))).toMatchObject({ id, ...changes });

    const rotated = await valueOf(call('rotateWebhookSecret', [id], { overlapSeconds: 0 }));
    const eventType = 'cart.completed';
    const { eventId } = await valueOf(call('testWebhookEndpoint', [id], { eventType }));
    const received = () => receiver.received.find(({ headers }) => headers['webhook-id'] === eventId);
    await expect.poll(received).toBeDefined();
    expect(verifyWebhook(String(rotated['secret']), received()!)).toMatchObject({
      type: eventType,
      test: true,
    });

    expect(await valueOf(call('deleteWebhookEndpoint', [id]))).toStrictEqual({ id, deleted: true });
    const { error } = await call('retrieveWebhookEndpoint', [id]);
    expect(error).toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND', status: 404 });
  });

  test('lists the deliveries of an endpoint, page by page, and sends one again', async () => {
    const call = callerOf(language, {
      baseUrl: stage.baseUrl,
      apiKey: await stage.givenKey({ limit: 1_000 }),
    });
    const eventTypes = ['cart.abandoned'];
    const created = await valueOf(call('createWebhookEndpoint', [{ url: receiver.url, eventTypes }]));
    const { id } = created['webhookEndpoint'] as { id: string };
    const { cart } = await valueOf(call('createCart', [{ productDocumentId: stage.productId, ...BUYER }]));
    await valueOf(call('expireCart', [(cart as { id: string }).id]));
    const list = async (options?: object) =>
      (await valueOf(call('listWebhookDeliveries', [id], { ...options }))) as {
        deliveries: { id: string; eventId: string; recordedAt: string; status: string }[];
        hasMore: boolean;
      };
    await expect.poll(() => list()).toMatchObject({ deliveries: [{ status: 'succeeded' }], hasMore: false });
    const [delivery] = (await list({ limit: 1 })).deliveries;
    expect((await list({ before: delivery?.recordedAt })).deliveries).toStrictEqual([]);
    expect((await list({ after: delivery?.id })).deliveries).toStrictEqual([]);

    const sent = await valueOf(call('resendWebhookDelivery', [id, delivery?.id]));
    expect(sent).toStrictEqual({ deliveryId: delivery?.id, eventId: delivery?.eventId });
    const received = () =>
      receiver.received.filter(({ headers }) => headers['webhook-id'] === delivery?.eventId);
    await expect.poll(received).toHaveLength(2);
    await valueOf(call('deleteWebhookEndpoint', [id]));
  });

  test.each(Object.values(METHODS))(
    '%s sends its request, and again after a 429',
    async (method, args, verb, path, member) => {
      const limited = { status: 429, headers: { 'Retry-After': '1' }, body: { code: 'X', message: 'Later' } };
      const { call, requests } = await onScript(limited, { status: 200, body: { [member]: 'it' } });
      expect(await valueOf(call(method, args))).toMatchObject({ [member]: 'it' });
      expect(requests.map((request) => [request.method, request.url])).toStrictEqual([
        [verb, path],
        [verb, path],
      ]);
    },
  );

  test.each(Object.values(METHODS))('takes an empty success of %s for incomplete', async (method, args) => {
    const { baseUrl } = await givenResponses(EMPTY);
    const call = callerOf(language, { baseUrl, apiKey: KEY, retriesMax: 0 });
    expect((await call(method, args)).error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
  });

  test.each<ScriptedResponse>(['cut', { status: 503, body: { code: 'X', message: 'Later' } }])(
    'does not rotate a secret again if the first rotation may have succeeded: %j',
    async (response) => {
      const { call, requests } = await onScript(response);
      const { error } = await call('rotateWebhookSecret', [ID]);
      expect(error).toMatchObject({ retryable: true });
      expect(requests).toHaveLength(1);
    },
  );

  test.each([
    ['retrieveWebhookEndpoint', ['']],
    ['resendWebhookDelivery', [ID, '']],
  ])('%s rejects an empty id', async (method, args) => {
    const { call, requests } = await onScript(EMPTY);
    expect((await call(method, args)).error?.['message']).toMatch(/^\w+ is missing$/);
    expect(requests).toHaveLength(0);
  });
});
