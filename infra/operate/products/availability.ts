import type { Command } from 'commander';
import { createProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, parseId, stageCommand } from '../options.ts';
import { print } from '../output.ts';
import { findStage } from '../stage.ts';

const COMMANDS = {
  enable: ['put a product on sale', 'It takes effect within about a second.'],
  disable: [
    'take a product off sale',
    'Within about a second, create requests get 400 INVALID_PRODUCT. Existing carts can still be paid.',
  ],
} as const;

const setAvailable = async (
  host: Host,
  id: string,
  name: keyof typeof COMMANDS,
  { json, ...stage }: CommonFlags,
): Promise<void> => {
  const found = await findStage(stage, host.clock);
  const catalogue = createProductCatalogue(found.documents, found.tableNames.products);
  const available = name === 'enable';
  await recordChange(host, found, { command: `products ${name}`, ids: { productId: id } }, async () => {
    const outcome = await catalogue.setAvailable(id, available);
    if (outcome === 'unknown') throw new OperatorError(`No product has the id ${id}.`);
  });
  await print(host, json, { id, available }, [`The product ${id} is ${available ? 'on' : 'off'} sale.`]);
};

/** `products enable` and `products disable`: put a product on sale, or take it off. */
export const availabilityCommand = (host: Host, name: keyof typeof COMMANDS): Command => {
  const [description, effect] = COMMANDS[name];
  return stageCommand(
    name,
    description,
    `\nExample:\n  npm run operate -- products ${name} course-1\n\n${effect}`,
  )
    .argument('<id>', "the product's id", parseId)
    .action((id: string, flags: CommonFlags) => setAvailable(host, id, name, flags));
};
