import { accept } from './accept/commands.ts';
import { audit } from './audit/commands.ts';
import { buyers } from './buyers/commands.ts';
import { canary } from './canary/commands.ts';
import { carts } from './carts/commands.ts';
import type { Command, Group } from './command.ts';
import { deadLetters } from './dead-letters/commands.ts';
import { keys } from './keys/commands.ts';
import { listen } from './listen/commands.ts';
import { payments } from './payments/commands.ts';
import { products } from './products/commands.ts';
import { restore } from './restore/commands.ts';
import { stats } from './stats/commands.ts';
import { stores } from './stores/commands.ts';
import { webhooks } from './webhooks/commands.ts';

/** The groups of commands, and the commands without a group, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command | Group>> = {
  keys,
  products,
  stores,
  carts,
  stats,
  buyers,
  payments,
  webhooks,
  listen,
  'dead-letters': deadLetters,
  audit,
  canary,
  restore,
  accept,
};

/** Every command by its words, such as `keys issue`. */
export const commandsByWords = (): ReadonlyMap<string, Command> =>
  new Map(
    Object.entries(COMMANDS).flatMap(([name, each]) =>
      'commands' in each
        ? Object.entries(each.commands).map(([word, command]) => [`${name} ${word}`, command] as const)
        : [[name, each] as const],
    ),
  );
