import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { givenService } from '../../support/service/service.ts';
import { givenMerchant, type Merchant } from './merchant.ts';

const service = await givenService();
let merchant: Merchant;
let id: string;
beforeEach(async () => {
  merchant = await givenMerchant(service);
  id = await merchant.givenEndpoint();
});

const secretOf = (endpointId: string) =>
  createSecretRepository(service.documents, service.tableNames.secrets).find(endpointId);

describe('a rotation', () => {
  it('returns the new secret, and the old one signs until the end of the overlap', async () => {
    const old = (await secretOf(id))?.secret;
    const nowMs = service.clock.now();
    const { status, body } = await merchant.on(id, 'rotateWebhookSecret', { body: { overlapSeconds: 60 } });
    expect(status).toBe(200);
    const untilMs = nowMs + 60_000;
    expect(body).toStrictEqual({
      id,
      secret: expect.stringMatching(/^whsec_/),
      previousSecretEndsAt: new Date(untilMs).toISOString(),
    });
    expect(await secretOf(id)).toStrictEqual({
      id,
      secret: body['secret'],
      previous: { secret: old, untilMs },
    });
    const events = await merchant.events();
    const changedByKeyId = expect.any(String);
    expect(events[1]).toMatchObject({
      type: 'webhook_endpoint.secret_rotated',
      data: { id, changedByKeyId },
    });
    expect(JSON.stringify(events)).not.toContain('whsec_');
  });

  it.each([{ overlap_seconds: 0 }, { gracePeriod: 0 }])(
    'with another name of the overlap gets 422 in test mode, and the secret stays: %j',
    async (body) => {
      const before = await secretOf(id);
      const response = await merchant.on(id, 'rotateWebhookSecret', { body });
      expectError(response, 'invalidPayload');
      const [path] = Object.keys(body);
      const message = `Unknown field ${path}; did you mean overlapSeconds?`;
      expect(response.body['details']).toStrictEqual([{ path, message }]);
      expect(await secretOf(id)).toStrictEqual(before);
    },
  );

  it.each([{ status: 'active' }, { disabled: true }])(
    'ignores the fields of a change in test mode: %j',
    async (body) => {
      const { status } = await merchant.on(id, 'rotateWebhookSecret', { body });
      expect(status).toBe(200);
    },
  );

  it('with another name of the overlap has the default in live mode, and the log has the name here', async () => {
    const live = await givenMerchant(service, { mode: 'live' });
    const endpointId = await live.givenEndpoint();
    const [line] = await logged(async () => {
      const { status } = await live.on(endpointId, 'rotateWebhookSecret', { body: { overlap_seconds: 0 } });
      expect(status).toBe(200);
    });
    expect(line).toMatchObject({ storeId: live.storeId, testModeIssues: ['overlapSeconds'] });
  });

  it('has an overlap of a day by default, also with null, and at 0 ends the old secret at once', async () => {
    const nowMs = service.clock.now();
    const { body } = await merchant.on(id, 'rotateWebhookSecret', { body: {} });
    expect(body['previousSecretEndsAt']).toBe(new Date(nowMs + 86_400_000).toISOString());
    const second = await merchant.on(id, 'rotateWebhookSecret', { body: { overlapSeconds: null } });
    expect(second.body['previousSecretEndsAt']).toBe(body['previousSecretEndsAt']);
    await merchant.on(id, 'rotateWebhookSecret', { body: { overlapSeconds: 0 } });
    expect(await secretOf(id)).not.toHaveProperty('previous');
  });

  it('gets 409 if the secret that it would replace is gone by then', async () => {
    const { documents, tableNames } = service;
    await documents.send(new DeleteCommand({ TableName: tableNames.secrets, Key: { id } }));
    expectError(await merchant.on(id, 'rotateWebhookSecret', { body: {} }), 'webhookSecretChanged');
    expect(await merchant.events()).toHaveLength(1);
  });

  it.each([-1, 0.5, 604_801, '60'])('with the overlap %j gets 422', async (overlapSeconds) => {
    const response = await merchant.on(id, 'rotateWebhookSecret', { body: { overlapSeconds } });
    expectError(response, 'invalidPayload');
    const message = 'Must be a whole number from 0 to 604800';
    expect(response.body['details']).toStrictEqual([{ path: 'overlapSeconds', message }]);
  });
});
