import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Command } from 'commander';
import { createApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import { parseHttpUrl } from '../../command-line.ts';
import { readStageFile } from '../../local/stage-file.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';
import { print } from '../output.ts';
import { requireOutput } from '../stack-outputs.ts';
import { findStage, type Stage } from '../stage.ts';
import { issueSuiteKeys, putSuiteProducts } from './suite-inputs.ts';

interface AcceptFlags extends CommonFlags {
  readonly baseUrl?: string;
}

const ROOT = join(import.meta.dirname, '../../..');

const baseUrlOf = ({ name, outputs }: Stage, { baseUrl, dynamodb }: AcceptFlags): string => {
  if (baseUrl !== undefined) return baseUrl;
  if (outputs) return requireOutput(outputs, 'BaseUrl', name);
  const local = dynamodb === undefined ? readStageFile()?.baseUrl : undefined;
  if (local !== undefined) return local;
  throw new OperatorError('Where a stage on other data answers is not known: pass --base-url.');
};

const STDERR = 2;

/**
 * Runs the suite with its inputs in the environment, which no list of processes shows. What it prints goes to standard
 * error, since standard output is the result's.
 *
 * @returns whether it passed
 */
const runSuite = async (inputs: Readonly<Record<string, string>>): Promise<boolean> => {
  const suite = spawn('npm', ['run', '--silent', 'test:acceptance'], {
    cwd: ROOT,
    env: { ...process.env, ...inputs },
    stdio: ['ignore', STDERR, STDERR],
  });
  const [exitCode] = (await once(suite, 'close')) as [number | null];
  return exitCode === 0;
};

const acceptStage = async (flags: AcceptFlags): Promise<void> => {
  const stage = await findStage(flags);
  const baseUrl = baseUrlOf(stage, flags);
  const apiKeys = createApiKeyStore(stage.documents, stage.tableNames.apiKeys);
  const products = await putSuiteProducts(stage);
  const keys = await issueSuiteKeys(apiKeys, Date.now());
  try {
    const expiry = stage.outputs?.['CartExpiryMinutes'];
    const inputs = {
      BASE_URL: baseUrl,
      ...(expiry !== undefined && { CART_EXPIRY_MINUTES: expiry }),
      ...products,
      ...keys.inputs,
    };
    if (!(await runSuite(inputs))) throw new OperatorError(`The stage ${stage.name} is not accepted.`);
  } finally {
    for (const keyId of keys.ids) await apiKeys.revoke(keyId, Date.now());
  }
  print(flags.json, { stage: stage.name, baseUrl, accepted: true }, [`The stage ${stage.name} is accepted.`]);
};

const HELP = `
Examples:
  npm run operate -- accept
  npm run operate -- accept --stage prod

The suite gets products and test keys of its own: the products stay, the keys are revoked, the carts expire.`;

/** `accept`: checks over HTTP that a stage keeps what the API promises. */
export const acceptCommand = (): Command =>
  withCommonOptions(new Command('accept'))
    .description('run the acceptance suite against a stage, with products and keys of its own')
    .option('--base-url <url>', 'where the stage answers, if not where it says', parseHttpUrl)
    .addHelpText('after', HELP)
    .action(acceptStage);
