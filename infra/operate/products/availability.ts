import { OperatorError } from '../../operator-error.ts';
import type { Run } from '../command.ts';
import type { DISABLE_PRODUCT, ENABLE_PRODUCT } from './commands.ts';

export const setAvailable =
  (available: boolean): Run<typeof ENABLE_PRODUCT | typeof DISABLE_PRODUCT> =>
  async ({ id }, { stores, change }) => {
    await change({ productId: id }, async () => {
      const outcome = await stores.products.setAvailable(id, available);
      if (outcome === 'unknown') throw new OperatorError(`No product has the id ${id}.`);
    });
    return { json: { id, available }, lines: [`The product ${id} is ${available ? 'on' : 'off'} sale.`] };
  };
