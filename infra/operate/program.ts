import { Command } from 'commander';
import { execute, type ExitCode } from '../command-line.ts';
import { acceptCommand } from './accept/command.ts';
import { auditCommand } from './audit/list.ts';
import { buyersCommand } from './buyers/command.ts';
import { canaryCommand } from './canary/setup.ts';
import { listCartsCommand } from './carts/list.ts';
import { scheduleExpiriesCommand } from './carts/schedule-expiries.ts';
import { showCartCommand } from './carts/show.ts';
import { deadLettersCommand } from './dead-letters/command.ts';
import { issueKeyCommand } from './keys/issue.ts';
import { listKeysCommand } from './keys/list.ts';
import { refillKeyCommand } from './keys/refill.ts';
import { revokeKeyCommand } from './keys/revoke.ts';
import { rotateKeyCommand } from './keys/rotate.ts';
import { setLimitCommand } from './keys/set-limit.ts';
import { listenCommand } from './listen/command.ts';
import { assertTimeRange, type Host } from './options.ts';
import { sendPaymentCommand } from './payments/send.ts';
import { availabilityCommand } from './products/availability.ts';
import { importProductsCommand } from './products/import.ts';
import { listProductsCommand } from './products/list.ts';
import { putProductCommand } from './products/put.ts';
import { restoreCommand } from './restore/command.ts';
import { statsCommand } from './stats/command.ts';
import { listStoresCommand } from './stores/list.ts';
import { putStoreCommand } from './stores/put.ts';
import { webhooksCommand } from './webhooks/command.ts';

const HELP = `
Examples:
  npm run operate -- keys issue --store shop
  npm run operate -- products import catalogue.csv --stage two
  npm run operate -- keys rotate --help

AWS_PROFILE and AWS_REGION select the account and the region of a deployed stage.
In a script, use --json with every command, and \`npm run --silent\` to suppress npm's own lines.
Exit codes: 0 done; 1 failed or rejected; 2 the command line is invalid or lacks --yes, and nothing was changed.`;

const KEYS_HELP = `
The life of a key:
  npm run operate -- stores put shop --name 'The Shop'
  npm run operate -- keys issue --store shop --label 'Web shop'
  npm run operate -- keys list --store shop
  npm run operate -- keys set-limit {keyId} --limit 600 --window 60
  npm run operate -- keys refill {keyId}
  npm run operate -- keys rotate {keyId} --overlap 24h
  npm run operate -- keys revoke {keyId}`;

const PRODUCTS_HELP = `
Examples:
  npm run operate -- products put course-1 --store shop --name 'Course' --currency EUR --price 19.99
  npm run --silent operate -- products import --example > catalogue.csv
  npm run operate -- products import catalogue.csv
  npm run operate -- products list --store shop
  npm run operate -- products disable course-1`;

/** `keys`: the life of a key. */
const keysCommand = (host: Host): Command =>
  new Command('keys')
    .description("issue, list, rotate, limit, refill and revoke stores' API keys")
    .addHelpText('after', KEYS_HELP)
    .addCommand(issueKeyCommand(host))
    .addCommand(listKeysCommand(host))
    .addCommand(rotateKeyCommand(host))
    .addCommand(setLimitCommand(host))
    .addCommand(refillKeyCommand(host))
    .addCommand(revokeKeyCommand(host));

const productsCommand = (host: Host): Command =>
  new Command('products')
    .description("store, list, enable and disable stores' products")
    .addHelpText('after', PRODUCTS_HELP)
    .addCommand(putProductCommand(host))
    .addCommand(importProductsCommand(host))
    .addCommand(listProductsCommand(host))
    .addCommand(availabilityCommand(host, 'enable'))
    .addCommand(availabilityCommand(host, 'disable'));

/** The operators' command line, with all of its commands. */
export const createProgram = (host: Host): Command => {
  const stores = new Command('stores')
    .description('name and list stores')
    .addCommand(putStoreCommand(host))
    .addCommand(listStoresCommand(host));
  const carts = new Command('carts')
    .description('show carts and their payments')
    .addCommand(showCartCommand(host))
    .addCommand(listCartsCommand(host))
    .addCommand(scheduleExpiriesCommand(host));
  const payments = new Command('payments')
    .description('report payments by hand')
    .addCommand(sendPaymentCommand(host));
  return new Command('npm run operate --')
    .description('Operates a stage of Cart Checkout: the local stage, or a deployed one with --stage.')
    .addHelpText('after', HELP)
    .hook('preAction', (_program, command) => assertTimeRange(command.opts()))
    .addCommand(keysCommand(host))
    .addCommand(productsCommand(host))
    .addCommand(stores)
    .addCommand(carts)
    .addCommand(statsCommand(host))
    .addCommand(buyersCommand(host))
    .addCommand(payments)
    .addCommand(webhooksCommand(host))
    .addCommand(listenCommand(host))
    .addCommand(deadLettersCommand(host))
    .addCommand(auditCommand(host))
    .addCommand(canaryCommand(host))
    .addCommand(restoreCommand(host))
    .addCommand(acceptCommand(host));
};

/**
 * Runs the operators' command line to its end.
 *
 * @param args the arguments without the names of Node and the program
 */
export const operate = (args: readonly string[], host: Host): Promise<ExitCode> => {
  const reportSkew = (skewMs: number): void => {
    const difference = `${Math.abs(Math.round(skewMs / 1_000))} s ${skewMs > 0 ? 'ahead of' : 'behind'} DynamoDB's`;
    host.stderr.write(`This machine's clock is ${difference}: correct it. The command uses DynamoDB's.\n`);
  };
  void host.clock?.skewMs.then(reportSkew);
  return execute(createProgram(host), host, args);
};
