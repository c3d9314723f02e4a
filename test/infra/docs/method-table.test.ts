import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DECLARATIONS } from '../../../infra/docs/clients/client-declarations.ts';
import { methodTable } from '../../../infra/docs/clients/method-table.ts';

test('the table of methods has every public method of the client, or there is none', () => {
  const declarations = readFileSync(DECLARATIONS, 'utf8');
  const more = declarations.replace(
    'class CartCheckout {\n',
    '$&    newMethod(cartId: string): Promise<Cart>;\n',
  );
  expect(() => methodTable(more)).toThrow('has no comment of newMethod.');
});
