import { Command } from 'commander';
import { disableCommand, enableCommand } from './availability.ts';
import { importCommand } from './import.ts';
import { listCommand } from './list.ts';
import { putCommand } from './put.ts';

const HELP = `
Examples:
  npm run operate -- products put course-1 --store shop --name 'Course' --currency EUR --price 19.99
  npm run operate -- products import catalogue.csv
  npm run operate -- products list --store shop
  npm run operate -- products disable course-1`;

/** `products`: what stores sell. */
export const productsCommand = (): Command =>
  [putCommand(), importCommand(), listCommand(), enableCommand(), disableCommand()].reduce(
    (products, command) => products.addCommand(command),
    new Command('products').description("keep stores' products").addHelpText('after', HELP),
  );
