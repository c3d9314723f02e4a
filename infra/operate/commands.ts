import { command, type Command, group, type Group } from './command.ts';
import { ACCEPT } from './accept/commands.ts';
import { AUDIT } from './audit/commands.ts';
import { BUYERS } from './buyers/commands.ts';
import { CANARY } from './canary/commands.ts';
import { CARTS } from './carts/commands.ts';
import { DEAD_LETTERS } from './dead-letters/commands.ts';
import { KEYS } from './keys/commands.ts';
import { LISTEN } from './listen/commands.ts';
import { PAYMENTS } from './payments/commands.ts';
import { PRODUCTS } from './products/commands.ts';
import { RESTORE } from './restore/commands.ts';
import { STATS } from './stats/commands.ts';
import { STORES } from './stores/commands.ts';
import { WEBHOOKS } from './webhooks/commands.ts';

/** The groups of commands, and the commands without a group, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command | Group>> = {
  keys: group(
    "issue, list, rotate, limit, refill and revoke stores' API keys",
    KEYS,
    () => import('./keys/keys.ts'),
  ),
  products: group(
    "store, list, enable and disable stores' products",
    PRODUCTS,
    () => import('./products/products.ts'),
  ),
  stores: group('name and list stores', STORES, () => import('./stores/stores.ts')),
  carts: group('show carts and their payments', CARTS, () => import('./carts/carts.ts')),
  stats: command(STATS, async () => (await import('./stats/stats.ts')).stats),
  buyers: group('export and erase the personal data of a buyer', BUYERS, () => import('./buyers/buyers.ts')),
  payments: group('report payments and refunds by hand', PAYMENTS, () => import('./payments/send.ts')),
  webhooks: group("create, test, list, rotate and remove stores' webhook endpoints", WEBHOOKS, async () => ({
    ...(await import('./webhooks/webhooks.ts')),
    ...(await import('./webhooks/deliveries.ts')),
  })),
  listen: command(LISTEN, async () => (await import('./listen/listen.ts')).listen),
  'dead-letters': group(
    'list, redrive and remove what a deployed stage could not handle',
    DEAD_LETTERS,
    () => import('./dead-letters/dead-letters.ts'),
  ),
  audit: group('show who changed what on a deployed stage', AUDIT, () => import('./audit/audit.ts')),
  canary: group(
    "set up a stage's canary, which checks the stage every minute",
    CANARY,
    () => import('./canary/setup.ts'),
  ),
  restore: command(RESTORE, async () => (await import('./restore/restore.ts')).restore),
  accept: command(ACCEPT, async () => (await import('./accept/accept.ts')).accept),
};

/** Every command by its words, such as `keys issue`. */
export const commandsByWords = (): ReadonlyMap<string, Command> =>
  new Map(
    Object.entries(COMMANDS).flatMap(([name, either]) =>
      'commands' in either
        ? Object.entries(either.commands).map(([word, each]) => [`${name} ${word}`, each] as const)
        : [[name, either] as const],
    ),
  );
