import { parseProduct } from '../../../lib/products/product-schema.ts';
import { UsageError } from '../../command-line.ts';
import { describePrice } from '../../describe-price.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Run } from '../command.ts';
import type { PUT_PRODUCT } from './commands.ts';
import { describeIssue } from './describe-issue.ts';

const OPTION_OF_PATH: Readonly<Record<string, string>> = {
  name: '--name',
  currency: '--currency',
  'pricing.amount': '--price',
  'pricing.minimum': '--minimum',
  'pricing.suggested': '--suggested',
};

export const run: Run<typeof PUT_PRODUCT> = async (options, { stores, change }) => {
  const { id, store: storeId, name, currency, price, minimum, suggested, unavailable } = options;
  const pricing =
    price === undefined ? { type: 'free', minimum, suggested } : { type: 'fixed', amount: price };
  const parsed = parseProduct({ id, storeId, name, available: !unavailable, currency, pricing });
  if (!parsed.ok) {
    throw new UsageError(parsed.issues.map((issue) => `${describeIssue(issue, OPTION_OF_PATH)}.`).join(' '));
  }
  const { product } = parsed;
  await change({ productId: id, storeId }, async () => {
    if ((await stores.products.put(product)) === 'stored') return;
    throw new OperatorError(
      `The product ${id} belongs to another store: choose another id, because all stores share the ids.`,
    );
  });
  const sale = product.available ? '' : ', unavailable';
  return {
    json: product,
    lines: [`Stored the product ${id} of ${storeId}: ${describePrice(product)}${sale}.`],
  };
};
