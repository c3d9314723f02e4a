import { IS_PACKAGE } from '../core/project.ts';
import { ACCEPT } from './accept/commands.ts';
import { AUDIT } from './audit/commands.ts';
import { BUYERS } from './buyers/commands.ts';
import { CANARY } from './canary/commands.ts';
import { CARTS } from './carts/commands.ts';
import { COMPLETION } from './completion/commands.ts';
import { DEAD_LETTERS } from './dead-letters/commands.ts';
import { type Command, commandOf, type Group, groupOf } from './frame/command.ts';
import { KEYS } from './keys/commands.ts';
import { LISTEN } from './listen/commands.ts';
import { PAYMENTS } from './payments/commands.ts';
import { PREFLIGHT } from './preflight/commands.ts';
import { PRODUCTS } from './products/commands.ts';
import { RESTORE } from './restore/commands.ts';
import { STAGES } from './stages/commands.ts';
import { STATS } from './stats/commands.ts';
import { STATUS } from './status/commands.ts';
import { STORES } from './stores/commands.ts';
import { WEBHOOKS } from './webhooks/commands.ts';

/** The commands that need a clone of the project: its synthesised stages, or its tests. */
const OF_THE_PROJECT = {
  preflight: commandOf(PREFLIGHT, async () => (await import('./preflight/preflight.ts')).preflight),
  accept: commandOf(ACCEPT, async () => (await import('./accept/accept.ts')).accept),
};

/** The groups and the other commands, in the order of the help. `frame/command.ts` explains a declaration. */
export const COMMAND_TREE: Readonly<Record<string, Group | Command>> = {
  keys: groupOf("stores' API keys", KEYS, () => import('./keys/keys.ts')),
  products: groupOf("stores' products", PRODUCTS, () => import('./products/products.ts')),
  stores: groupOf('the stores', STORES, () => import('./stores/stores.ts')),
  carts: groupOf('carts and their payments', CARTS, () => import('./carts/carts.ts')),
  stats: commandOf(STATS, async () => (await import('./stats/stats.ts')).stats),
  buyers: groupOf("buyers' personal data", BUYERS, () => import('./buyers/buyers.ts')),
  payments: groupOf('payments and refunds, by hand', PAYMENTS, () => import('./payments/send.ts')),
  webhooks: groupOf("stores' webhook endpoints", WEBHOOKS, async () => ({
    ...(await import('./webhooks/webhooks.ts')),
    ...(await import('./webhooks/deliveries.ts')),
  })),
  listen: commandOf(LISTEN, async () => (await import('./listen/listen.ts')).listen),
  'dead-letters': groupOf(
    'what a stage could not handle',
    DEAD_LETTERS,
    () => import('./dead-letters/dead-letters.ts'),
  ),
  status: commandOf(STATUS, async () => (await import('./status/status.ts')).status),
  stages: groupOf('the deployed stages, their values and their costs', STAGES, async () => ({
    ...(await import('./stages/stages.ts')),
    ...(await import('./stages/show.ts')),
  })),
  audit: groupOf('who changed what on a deployed stage', AUDIT, () => import('./audit/audit.ts')),
  canary: groupOf(
    "a stage's canary, which checks the stage every minute",
    CANARY,
    () => import('./canary/setup.ts'),
  ),
  restore: groupOf('tables that DynamoDB restored', RESTORE, async () => ({
    ...(await import('./restore/items.ts')),
    ...(await import('./restore/events.ts')),
  })),
  ...(IS_PACKAGE ? {} : OF_THE_PROJECT),
  completion: commandOf(COMPLETION, async () => (await import('./completion/completion.ts')).completion),
};

/** Every command by its words, such as `keys set-limit`. */
export const COMMANDS: Readonly<Record<string, Command>> = Object.fromEntries(
  Object.entries(COMMAND_TREE).flatMap(([name, entry]): (readonly [string, Command])[] =>
    'spec' in entry
      ? [[name, entry]]
      : Object.entries(entry.commands).map(([word, command]) => [`${name} ${word}`, command]),
  ),
);
