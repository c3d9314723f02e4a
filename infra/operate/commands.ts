import { IS_PACKAGE } from '../core/project.ts';
import { ACCEPT } from './accept/commands.ts';
import { AUDIT } from './audit/commands.ts';
import { BUYERS } from './buyers/commands.ts';
import { CANARY } from './canary/commands.ts';
import { CARTS } from './carts/commands.ts';
import { COMPLETION } from './completion/commands.ts';
import { DEAD_LETTERS } from './dead-letters/commands.ts';
import { type Command, commandsOf } from './frame/command.ts';
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

/** The subject of each group. The help adds the names of its commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  keys: "stores' API keys",
  products: "stores' products",
  stores: 'the stores',
  carts: 'carts and their payments',
  buyers: "buyers' personal data",
  payments: 'payments and refunds, by hand',
  webhooks: "stores' webhook endpoints",
  'dead-letters': 'what a stage could not handle',
  stages: 'the deployed stages, their values and their costs',
  audit: 'who changed what on a deployed stage',
  canary: "a stage's canary, which checks the stage every minute",
  restore: 'tables that DynamoDB restored',
};

/** The commands that need a clone of the project: its synthesised stages, or its tests. */
const OF_THE_PROJECT = {
  ...commandsOf('', { preflight: PREFLIGHT }, () => import('./preflight/preflight.ts')),
  ...commandsOf('', { accept: ACCEPT }, () => import('./accept/accept.ts')),
};

/** Every command by its words, in the order of the help. `frame/command.ts` explains a declaration. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...commandsOf('keys', KEYS, () => import('./keys/keys.ts')),
  ...commandsOf('products', PRODUCTS, () => import('./products/products.ts')),
  ...commandsOf('stores', STORES, () => import('./stores/stores.ts')),
  ...commandsOf('carts', CARTS, () => import('./carts/carts.ts')),
  ...commandsOf('', { stats: STATS }, () => import('./stats/stats.ts')),
  ...commandsOf('buyers', BUYERS, () => import('./buyers/buyers.ts')),
  ...commandsOf('payments', PAYMENTS, () => import('./payments/send.ts')),
  ...commandsOf('webhooks', WEBHOOKS, async () => ({
    ...(await import('./webhooks/webhooks.ts')),
    ...(await import('./webhooks/deliveries.ts')),
  })),
  ...commandsOf('', { listen: LISTEN }, () => import('./listen/listen.ts')),
  ...commandsOf('dead-letters', DEAD_LETTERS, () => import('./dead-letters/dead-letters.ts')),
  ...commandsOf('', { status: STATUS }, () => import('./status/status.ts')),
  ...commandsOf('stages', STAGES, async () => ({
    ...(await import('./stages/stages.ts')),
    ...(await import('./stages/show.ts')),
  })),
  ...commandsOf('audit', AUDIT, () => import('./audit/audit.ts')),
  ...commandsOf('canary', CANARY, () => import('./canary/setup.ts')),
  ...commandsOf('restore', RESTORE, async () => ({
    ...(await import('./restore/items.ts')),
    ...(await import('./restore/events.ts')),
  })),
  ...(IS_PACKAGE ? {} : OF_THE_PROJECT),
  ...commandsOf('', { completion: COMPLETION }, () => import('./completion/completion.ts')),
};
