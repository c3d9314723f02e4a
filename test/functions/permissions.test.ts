import { expect, it, vi } from 'vitest';
import { OPERATIONS } from '../../functions/operations.ts';
import { PERMISSIONS } from '../../infra/stack/permissions.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { givenFaultyService } from '../support/faulty-service.ts';
import { MERCHANT_OPERATIONS, VALID_REQUESTS } from '../support/valid-requests.ts';

// Neither the local stage nor the emulator of AWS checks permissions.
it.each(MERCHANT_OPERATIONS)(
  '%s calls only what its access in functions/operations.ts permits',
  async (name) => {
    // The first read of the idempotency secret fails, so that a request repeats it and makes the secret.
    const readSecret = vi.fn<() => unknown>().mockRejectedValueOnce(new Error('down')).mockReturnValue({});
    const { service, mock } = givenFaultyService(readSecret);
    const headers = { 'Idempotency-Key': 'order-1' };
    const { request, status } = VALID_REQUESTS[name];
    const apiKey = generateApiKey('test');
    expect((await service.send(name, { ...request, apiKey, headers })).status).toBe(status);

    const permitted = OPERATIONS[name].access.flatMap((access) =>
      PERMISSIONS[access].map(({ table, action }) => `${action} ${service.tableNames[table]}`),
    );
    const calls = mock.calls().map(({ args: [command] }) => {
      const { TableName } = command.input as { TableName: string };
      return `${command.constructor.name.replace(/(?:Item)?Command$/, 'Item')} ${TableName}`;
    });
    expect(calls.length).toBeGreaterThan(0);
    expect(permitted, 'Add the access to functions/operations.ts').toStrictEqual(
      expect.arrayContaining(calls),
    );
  },
);
