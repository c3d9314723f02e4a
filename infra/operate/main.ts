import { Command } from 'commander';
import { runCommandLine } from '../command-line.ts';
import { acceptCommand } from './accept/command.ts';
import { cartsCommand } from './carts/command.ts';
import { deadLettersCommand } from './dead-letters/command.ts';
import { keysCommand } from './keys/command.ts';
import { endOnOutputError } from './output.ts';
import { productsCommand } from './products/command.ts';

const HELP = `
Examples:
  npm run operate -- keys issue --store shop
  npm run operate -- products import catalogue.csv --stage two
  npm run operate -- keys rotate --help

A deployed stage is found by the outputs of its stack: AWS_PROFILE and AWS_REGION say in which account and region.
For programs: every command takes --json, and npm run --silent keeps npm's own lines off standard output.
Exit codes: 0 done, 1 could not be done, 2 the command line is wrong.`;

const program = new Command('npm run operate --')
  .description('Operates a stage of Cart Checkout: the local one, or with --stage a deployed one.')
  .addHelpText('after', HELP)
  .addCommand(keysCommand())
  .addCommand(productsCommand())
  .addCommand(cartsCommand())
  .addCommand(deadLettersCommand())
  .addCommand(acceptCommand());

process.stdout.on('error', endOnOutputError);

await runCommandLine(program);
