import { expect, it } from 'vitest';
import { OPERATIONS } from '../../functions/operations.ts';
import { PERMISSIONS } from '../../infra/stack/permissions.ts';
import { givenFaultyService } from '../support/faulty-service.ts';
import { MERCHANT_OPERATIONS } from '../support/valid-requests.ts';

// Neither the local stage nor the emulator of AWS checks permissions.
it.each(MERCHANT_OPERATIONS)(
  '%s calls only what its access in functions/operations.ts permits',
  async (name) => {
    const { service, mock, send } = givenFaultyService();
    await send(name);

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
