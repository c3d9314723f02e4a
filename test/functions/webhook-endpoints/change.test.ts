import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEndpointTimers } from '../../../lib/deliveries/parking/endpoint-timers.ts';
import type { DisabledReason } from '../../../lib/endpoints/endpoint.ts';
import { createSecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { newEndpoint, endpointChangesOf } from '../../support/domain/endpoints.ts';
import { givenService } from '../../support/service/service.ts';
import { givenMerchant, type Merchant, URL } from './merchant.ts';

const service = await givenService();
let merchant: Merchant;
let id: string;
beforeEach(async () => {
  merchant = await givenMerchant(service);
  id = await merchant.givenEndpoint();
});

const secretOf = (endpointId: string) =>
  createSecretRepository(service.documents, service.tableNames.secrets).find(endpointId);

const update = async (body: object) => {
  const response = await merchant.on(id, 'updateWebhookEndpoint', { body });
  expect(response.status).toBe(200);
  return response.body;
};

/** Opens the breaker of the endpoint. */
const fail = async (): Promise<void> => {
  const Key = { log: `test#${merchant.storeId}`, id };
  await service.documents.send(
    new UpdateCommand({
      TableName: service.tableNames.webhookEndpoints,
      Key,
      UpdateExpression: 'SET failures = :five, failingSinceMs = :now, probeAtMs = :now',
      ExpressionAttributeValues: { ':five': 5, ':now': service.clock.now() },
    }),
  );
};

const refOf = () => ({ storeId: merchant.storeId, mode: 'test', endpointId: id }) as const;

const stateOf = async () => (await service.endpoints.find(refOf()))?.state;

const disable = async (reason: DisabledReason): Promise<void> => {
  const endpoint = (await service.endpoints.find(refOf()))!;
  await endpointChangesOf(service).update(endpoint, { disabled: { atMs: service.clock.now(), reason } });
};

/** Makes another change after the next read of the endpoint, before the write. */
const afterRead = (change: () => Promise<unknown>): void => {
  const { find } = service.endpoints;
  const spy = vi.spyOn(service.endpoints, 'find').mockImplementationOnce(async (...args) => {
    const found = await find(...args);
    await change();
    return found;
  });
  onTestFinished(() => spy.mockRestore());
};

/** The changes of others that make a request fail. */
const MEANTIME = [
  ['webhookEndpointLocked', 'an operator disables the endpoint', () => disable('operator')],
  [
    'webhookEndpointNotFound',
    'somebody removes the endpoint',
    async () => endpointChangesOf(service).remove((await service.endpoints.find(refOf()))!),
  ],
] as const;

describe('a change', () => {
  it('applies to the given fields, and is an event with the key', async () => {
    expect(await update({ eventTypes: ['cart.completed', 'cart.abandoned'] })).toMatchObject({
      url: URL,
      eventTypes: ['cart.completed', 'cart.abandoned'],
    });
    const changed = await update({ url: 'https://other.shop.example/', eventTypes: null });
    expect(changed).toMatchObject({ url: 'https://other.shop.example/' });
    expect(changed).not.toHaveProperty('eventTypes');
    expect((await merchant.on(id, 'getWebhookEndpoint')).body).toStrictEqual(changed);
    expect(await merchant.events()).toMatchObject([
      { type: 'webhook_endpoint.created' },
      {
        type: 'webhook_endpoint.updated',
        data: { id, url: URL, eventTypes: ['cart.completed', 'cart.abandoned'] },
      },
      { type: 'webhook_endpoint.updated', data: { ...changed, changedByKeyId: changed['createdByKeyId'] } },
    ]);
  });

  it('without a new value changes nothing, and is no event', async () => {
    expect(await update({ enabled: true })).toMatchObject({ enabled: true });
    const before = (await merchant.on(id, 'getWebhookEndpoint')).body;
    await fail();
    for (const body of [{}, { url: URL }]) expect(await update(body)).toMatchObject(before);
    expect(await stateOf()).toMatchObject({ failures: 5 });
    expect(await merchant.events()).toHaveLength(1);
  });

  it('of the address lets one probe through at once, and one of the types does not', async () => {
    await fail();
    const before = await stateOf();
    await update({ eventTypes: ['cart.completed'] });
    expect(await stateOf()).toStrictEqual(before);
    await update({ url: 'https://other.shop.example/' });
    expect(await stateOf()).toMatchObject({ failures: 5, failingSinceMs: undefined, probeAtMs: undefined });
  });

  const park = async (): Promise<void> => {
    const ref = { storeId: merchant.storeId, mode: 'test', endpointId: id } as const;
    const timers = createEndpointTimers(service.documents, service.tableNames.webhookEndpoints);
    await timers.notePark(ref, service.clock.now());
  };

  it.each([
    ['of the address', { url: 'https://other.shop.example/' }],
    ['that enables the endpoint', { enabled: true }],
  ])('%s requests a drain of the parked deliveries at once', async (_, body) => {
    await fail();
    await park();
    const sent = service.queued.length;
    await update(body);
    const { storeId } = merchant;
    expect(service.queued.slice(sent)).toStrictEqual([
      { endpoint: { storeId, mode: 'test', endpointId: id }, drains: true },
    ]);
  });

  it.each([
    ['of the types', { eventTypes: ['cart.completed'] }],
    ['of the address of a disabled endpoint', { url: 'https://other.shop.example/', enabled: false }],
  ])('%s requests no drain', async (_, body) => {
    await fail();
    await park();
    const sent = service.queued.length;
    await update(body);
    expect(service.queued.slice(sent)).toStrictEqual([]);
  });

  it('disables the endpoint with the first time and reason, and enables it with one probe at once', async () => {
    await fail();
    const disabledAt = new Date(service.clock.now()).toISOString();
    expect(await update({ enabled: false })).toMatchObject({
      enabled: false,
      disabledAt,
      disabledReason: 'merchant',
    });
    service.clock.advance(60);
    expect(await update({ enabled: false })).toMatchObject({ disabledAt });
    const enabled = await update({ enabled: true });
    expect(enabled).toMatchObject({ enabled: true });
    expect(enabled).not.toHaveProperty('disabledAt');
    expect(await stateOf()).toMatchObject({ failures: 5, probeAtMs: undefined });
  });

  it('enables no endpoint that an operator disabled, and keeps that reason', async () => {
    await disable('operator');
    for (const body of [{ enabled: true }, { enabled: true, eventTypes: null }]) {
      const response = await merchant.on(id, 'updateWebhookEndpoint', { body });
      expectError(response, 'webhookEndpointLocked');
    }
    const disabled = { enabled: false, disabledReason: 'operator' };
    expect(await update({ enabled: false, eventTypes: ['cart.completed'] })).toMatchObject(disabled);
  });

  it.each(MEANTIME)('gets %s if %s in the meantime', async (error, _, change) => {
    for (const enabled of [false, true]) {
      id = await merchant.givenEndpoint({ url: `https://${enabled}.shop.example/` });
      if (enabled) await disable('merchant');
      afterRead(change);
      expectError(await merchant.on(id, 'updateWebhookEndpoint', { body: { enabled } }), error);
    }
  });

  it('moves no endpoint that an operator disabled, and no other one to its host, whatever its path', async () => {
    await disable('operator');
    const other = await merchant.givenEndpoint({ url: 'https://other.shop.example/' });
    const locked = await merchant.on(id, 'updateWebhookEndpoint', { body: { url: 'https://new.example/' } });
    expectError(locked, 'webhookEndpointLocked');
    for (const url of [URL, 'https://hooks.shop.example.:8443/other']) {
      const response = await merchant.on(other, 'updateWebhookEndpoint', { body: { url } });
      expectError(response, 'webhookEndpointLocked');
    }
    const moved = { url: 'https://third.shop.example/' };
    expect((await merchant.on(other, 'updateWebhookEndpoint', { body: moved })).status).toBe(200);
  });

  it.each(['gone', 'failing'] as const)('enables an endpoint that is disabled as %s', async (reason) => {
    await disable(reason);
    expect(await update({ enabled: true })).toMatchObject({ enabled: true });
  });

  it.each([
    [{ enabled: 'no' }, 'enabled', 'Must be true or false'],
    [{ url: 1 }, 'url', 'Must be a string'],
    [{ Enabled: false }, 'Enabled', 'Unknown field Enabled; did you mean enabled?'],
    [{ active: false }, 'active', 'Unknown field active; did you mean enabled?'],
    [{ disabled: true }, 'disabled', 'Unknown field disabled; send enabled'],
    [
      { webhookEndpoint: { enabled: false } },
      'webhookEndpoint',
      'Unknown field webhookEndpoint; send its fields at the top level',
    ],
    [{ eventTypes: ['webhook.ping'] }, 'eventTypes.0', expect.stringMatching(/^Must be one of /)],
  ])('with an invalid field gets 422: %j', async (body, path, message) => {
    const response = await merchant.on(id, 'updateWebhookEndpoint', { body });
    expectError(response, 'invalidPayload');
    expect(response.body['details']).toStrictEqual([{ path, message }]);
  });

  it('of null changes nothing, except to all types', async () => {
    await update({ eventTypes: ['cart.completed'] });
    expect(await update({ url: null, enabled: null })).toMatchObject({
      url: URL,
      enabled: true,
      eventTypes: ['cart.completed'],
    });
    expect(await update({ eventTypes: null })).not.toHaveProperty('eventTypes');
  });
});

describe('a deletion', () => {
  it('of an endpoint that an operator disabled gets 409, and the host of the endpoint stays closed to the store', async () => {
    await disable('operator');
    expectError(await merchant.on(id, 'deleteWebhookEndpoint'), 'webhookEndpointLocked');
    expectError(await merchant.create({ url: `${URL}/again` }), 'webhookEndpointLocked');
    expect((await merchant.create({ url: 'https://other.shop.example/' })).status).toBe(201);
    const { storeId } = merchant;
    const operators = await endpointChangesOf(service).create(newEndpoint({ storeId, url: URL }));
    expect(operators).toMatchObject({ outcome: 'created' });
    expect((await (await givenMerchant(service)).create()).status).toBe(201);
  });

  it.each(MEANTIME)('gets %s if %s in the meantime', async (error, _, change) => {
    afterRead(change);
    expectError(await merchant.on(id, 'deleteWebhookEndpoint'), error);
  });

  it('keeps the id of an idempotent creation for 60 days, longer than its deliveries', async () => {
    const created = (await merchant.create({ url: URL }, 'endpoint-1')).body as {
      readonly webhookEndpoint: { readonly id: string };
    };
    const idempotentId = created.webhookEndpoint.id;
    expect((await merchant.on(idempotentId, 'deleteWebhookEndpoint')).status).toBe(200);
    const { documents, tableNames } = service;
    const key = { TableName: tableNames.secrets, Key: { id: idempotentId } };
    expect((await documents.send(new GetCommand(key))).Item).toStrictEqual({
      id: idempotentId,
      deleteAtSeconds: Math.ceil(service.clock.now() / 1_000) + 60 * 86_400,
    });
    expect((await merchant.create({ url: URL }, 'endpoint-1')).status).toBe(422);
  });

  it('removes the endpoint and its secret, is an event with the key, and a second one gets 404', async () => {
    const { status, body } = await merchant.on(id, 'deleteWebhookEndpoint');
    expect([status, body]).toStrictEqual([200, { id, deleted: true }]);
    expect(await secretOf(id)).toBeUndefined();
    expect((await merchant.send('listWebhookEndpoints')).body).toStrictEqual({ webhookEndpoints: [] });
    expect((await merchant.events()).at(-1)).toMatchObject({
      type: 'webhook_endpoint.deleted',
      data: { id, url: URL, changedByKeyId: expect.any(String) },
    });
    expectError(await merchant.on(id, 'deleteWebhookEndpoint'), 'webhookEndpointNotFound');
    expect(await merchant.events()).toHaveLength(2);
  });
});
