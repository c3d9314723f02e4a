import { type Command, Option } from 'commander';
import type { InvalidField } from '../../../lib/core/invalid-field.ts';
import { createProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import { parseProduct } from '../../../lib/products/product-schema.ts';
import { UsageError } from '../../command-line.ts';
import { describePrice } from '../../describe-price.ts';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, parseAmount, parseId, stageCommand } from '../options.ts';
import { print } from '../output.ts';
import { findStage } from '../stage.ts';
import { assertStore } from '../stores/known-store.ts';
import { describeIssue } from './describe-issue.ts';

interface PutFlags extends CommonFlags {
  readonly store: string;
  readonly name: string;
  readonly currency: string;
  readonly price?: number;
  readonly free?: true;
  readonly minimum?: number;
  readonly suggested?: number;
  readonly unavailable?: true;
}

const FLAG_OF_PATH: Readonly<Record<string, string>> = {
  name: '--name',
  currency: '--currency',
  'pricing.amount': '--price',
  'pricing.minimum': '--minimum',
  'pricing.suggested': '--suggested',
};

const toSentence = (issue: InvalidField): string => `${describeIssue(issue, FLAG_OF_PATH)}.`;

const pricingOf = ({ price, free, minimum, suggested }: PutFlags): object => {
  if ((price === undefined) === (free === undefined)) {
    throw new UsageError('The price is missing: pass either --price or --free.');
  }
  if (price === undefined) return { type: 'free', minimum, suggested };
  if (minimum !== undefined || suggested !== undefined) {
    throw new UsageError('A fixed price has no --minimum and no --suggested: use them with --free.');
  }
  return { type: 'fixed', amount: price };
};

const putProduct = async (host: Host, id: string, flags: PutFlags): Promise<void> => {
  const { store, name, currency, unavailable, json } = flags;
  const pricing = pricingOf(flags);
  const parsed = parseProduct({
    id,
    storeId: store,
    name,
    available: unavailable !== true,
    currency,
    pricing,
  });
  if (!parsed.ok) throw new UsageError(parsed.issues.map(toSentence).join(' '));

  const { product } = parsed;
  const stage = await findStage(flags, host.clock);
  await assertStore(stage, store);
  const { documents, tableNames } = stage;
  const change = { command: 'products put', ids: { productId: id, storeId: store } };
  await recordChange(host, stage, change, async () => {
    const outcome = await createProductCatalogue(documents, tableNames.products).put(product);
    if (outcome !== 'foreign') return;
    throw new OperatorError(
      `The product ${id} belongs to another store: choose another id, because all stores share the ids.`,
    );
  });
  await print(host, json, product, [
    `Stored the product ${id} of ${store}: ${describePrice(product)}${product.available ? '' : ', unavailable'}.`,
  ]);
};

const EXAMPLES = `
Examples:
  npm run operate -- products put course-1 --store shop --name 'Course' --currency EUR --price 19.99
  npm run operate -- products put gift --store shop --name 'Gift' --currency JPY --free --minimum 100 --suggested 500
  npm run operate -- products put course-1 --store shop --name 'Course' --currency EUR --price 24.99 --stage prod

It replaces all fields of an earlier product with that id. Carts keep the price of their creation.`;

/** `products put`: stores one product. */
export const putProductCommand = (host: Host): Command =>
  stageCommand('put', 'store a product; replaces an earlier one with that id', EXAMPLES)
    .argument('<id>', 'the product id: productDocumentId in requests', parseId)
    .requiredOption('--store <id>', 'the store that sells it', parseId)
    .requiredOption('--name <text>', 'the name that buyers see, 1 to 200 characters')
    .requiredOption('--currency <code>', 'ISO 4217, such as EUR')
    .addOption(new Option('--price <amount>', 'a fixed price').argParser(parseAmount).conflicts('free'))
    .option('--free', 'free pricing: the buyer chooses')
    .option('--minimum <amount>', 'with --free: the lowest price that a buyer may choose', parseAmount)
    .option('--suggested <amount>', 'with --free: the price if the buyer chooses none', parseAmount)
    .option('--unavailable', 'do not sell it yet')
    .action((id: string, flags: PutFlags) => putProduct(host, id, flags));
