import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { UnavailableError } from '../../../../lib/aws/errors.ts';
import { generateEndpointId } from '../../../../lib/endpoints/endpoint.ts';
import { expectError } from '../../../support/contract/expect-error.ts';
import { storeEndpoint } from '../../../support/domain/endpoints.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { interceptCalls } from '../../../support/operators/intercept-calls.ts';

const stage = await givenOperatedService();

afterAll(stage.close);

describe('keys revoke', () => {
  test('makes the next request 401, also after a repetition, and does not change other keys', async () => {
    const { apiKey, keyId } = await stage.issueKey();
    const other = await stage.issueKey();
    expect((await stage.order(apiKey)).status).toBe(201);
    for (let i = 0; i < 2; i += 1) {
      const revoked = { keyId, revoked: true, webhookEndpoints: [] };
      expect(await stage.runJson('keys', 'revoke', keyId)).toStrictEqual(revoked);
      expectError(await stage.order(apiKey), 'invalidApiKey');
      expectError(await stage.getCart(randomUUID(), { apiKey }), 'invalidApiKey');
    }
    expect((await stage.order(other.apiKey)).status).toBe(201);
  });

  test('lists the webhook endpoints that the key created, which stay', async () => {
    const { keyId } = await stage.issueKey();
    const endpoint = {
      storeId: 'shop',
      mode: 'test',
      endpointId: generateEndpointId(),
      url: 'https://thief.example/hook',
      createdAtMs: 0,
    } as const;
    await storeEndpoint(stage, { ...endpoint, createdByKeyId: keyId.slice(0, 12) });
    await storeEndpoint(stage, { ...endpoint, endpointId: generateEndpointId(), createdByKeyId: 'another' });

    const { stdout } = await stage.run(['keys', 'revoke', keyId]);

    expect(stdout).toContain('It created 1 webhook endpoint');
    expect(stdout).toContain(`${endpoint.endpointId}  https://thief.example/hook`);
    const webhookEndpoints = [endpoint.endpointId];
    expect(await stage.runJson('keys', 'revoke', keyId)).toMatchObject({ webhookEndpoints });
  });

  test('revokes the key although the endpoints cannot be read, and fails', async () => {
    const { apiKey, keyId } = await stage.issueKey();
    interceptCalls(async (command) => {
      if (command instanceof ScanCommand) throw new UnavailableError('The table is away');
      return undefined;
    });

    expect(await stage.run(['keys', 'revoke', keyId])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining(`Revoked the key ${keyId}.`),
    });
    expectError(await stage.order(apiKey), 'invalidApiKey');
  });
});
