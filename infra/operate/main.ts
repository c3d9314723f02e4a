import { Command } from 'commander';
import { runCommandLine } from '../command-line.ts';
import { keysCommand } from './keys.ts';

const program = new Command('npm run operate --')
  .description('Operates a stage of Cart Checkout: the local one, unless told otherwise.')
  .addHelpText('after', '\nExit codes: 0 done, 1 could not be done, 2 the command line is wrong.')
  .addCommand(keysCommand());

await runCommandLine(program);
