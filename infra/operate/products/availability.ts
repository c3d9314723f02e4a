import { Command } from 'commander';
import { createProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, type Host, parseId, withCommonOptions } from '../options.ts';
import { print } from '../output.ts';
import { findStage } from '../stage.ts';

const availabilityCommand = (
  host: Host,
  name: 'enable' | 'disable',
  available: boolean,
  description: string,
  effect: string,
): Command =>
  withCommonOptions(new Command(name))
    .argument('<id>', "the product's id", parseId)
    .description(description)
    .addHelpText('after', `\nExample:\n  npm run operate -- products ${name} course-1\n\n${effect}`)
    .action(async (id: string, { json, ...stage }: CommonFlags): Promise<void> => {
      const { documents, tableNames } = await findStage(stage);
      const catalogue = createProductCatalogue(documents, tableNames.products);
      const outcome = await catalogue.setAvailable(id, available);
      if (outcome === 'unknown') throw new OperatorError(`No product has the id ${id}.`);
      await print(host, json, { id, available }, [`The product ${id} is ${available ? 'on' : 'off'} sale.`]);
    });

/** `products enable`: puts a product on sale. */
export const enableProductCommand = (host: Host): Command =>
  availabilityCommand(
    host,
    'enable',
    true,
    'put a product on sale',
    'It takes effect within about a second.',
  );

/** `products disable`: takes a product off sale. */
export const disableProductCommand = (host: Host): Command =>
  availabilityCommand(
    host,
    'disable',
    false,
    'take a product off sale',
    'It takes effect within about a second: create requests get 400 INVALID_PRODUCT. Existing carts can still be paid.',
  );
