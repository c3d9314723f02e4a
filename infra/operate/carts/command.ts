import { Command } from 'commander';
import { listCommand } from './list.ts';
import { showCommand } from './show.ts';

/** `carts`: what buyers were asked to pay, and what became of it. */
export const cartsCommand = (): Command =>
  new Command('carts')
    .description('look at carts and what happened to them')
    .addCommand(showCommand())
    .addCommand(listCommand());
