import { Command } from 'commander';
import { createProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, parseId, withCommonOptions } from '../options.ts';
import { print } from '../output.ts';
import { findStage } from '../stage.ts';

const availabilityCommand = (
  name: 'enable' | 'disable',
  available: boolean,
  description: string,
  effect: string,
): Command =>
  withCommonOptions(new Command(name))
    .argument('<id>', "the product's public identifier", parseId)
    .description(description)
    .addHelpText('after', `\nExample:\n  npm run operate -- products ${name} course-1\n\n${effect}`)
    .action(async (id: string, { json, ...stage }: CommonFlags): Promise<void> => {
      const { documents, tableNames } = await findStage(stage);
      const outcome = await createProductCatalogue(documents, tableNames.products).setAvailable(
        id,
        available,
      );
      if (outcome === 'unknown') throw new OperatorError(`No product has the id ${id}.`);
      print(json, { id, available }, [`The product ${id} is ${available ? 'on' : 'off'} sale.`]);
    });

/** `products enable`: puts a product on sale. */
export const enableCommand = (): Command =>
  availabilityCommand('enable', true, 'put a product on sale', 'It shows within about a second.');

/** `products disable`: takes a product off sale. */
export const disableCommand = (): Command =>
  availabilityCommand(
    'disable',
    false,
    'take a product off sale',
    'Within about a second new carts are refused (400 INVALID_PRODUCT); carts that exist can still be paid.',
  );
