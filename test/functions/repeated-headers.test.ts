import { expect, it } from 'vitest';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { expectError } from '../support/contract/expect-error.ts';
import { MERCHANT_OPERATIONS, OPERATION_ROWS } from '../support/operations/all-rows.ts';
import { givenFaultyService } from '../support/service/faulty-service.ts';

const { service } = givenFaultyService();

it.each(MERCHANT_OPERATIONS)('%s rejects in test mode a header that must be sent once', async (name) => {
  const { request } = OPERATION_ROWS[name];
  const headers = { ...request.headers, 'idempotency-key': 'order-1', 'IDEMPOTENCY-KEY': 'order-2' };
  const response = await service.send(name, { ...request, headers, apiKey: generateApiKey('test') });
  expectError(response, 'invalidPayload');
  expect(response.body).toHaveProperty('details', [
    { path: 'headers.idempotency-key', message: 'Must be sent once' },
  ]);
});
