import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import { parseHttpUrl } from '../../command-line.ts';
import { readStageFile } from '../../local/stage-file.ts';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, stageCommand } from '../options.ts';
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
  throw new OperatorError('The address of this local stage is unknown: pass --base-url.');
};

const STDERR = 2;

/**
 * Runs the suite. Its inputs are environment variables, because a list of processes shows arguments. It writes to
 * standard error, because standard output holds nothing but the result.
 *
 * @returns whether it passed
 */
const runSuite = async (inputs: NodeJS.ProcessEnv): Promise<boolean> => {
  const suite = spawn('npm', ['run', '--silent', 'test:acceptance'], {
    cwd: ROOT,
    env: { ...process.env, ...inputs },
    stdio: ['ignore', STDERR, STDERR],
  });
  const [exitCode] = (await once(suite, 'close')) as [number | null];
  return exitCode === 0;
};

/** Gives the suite its inputs, runs it, and revokes its keys. */
const runSuiteOn = async (host: Host, stage: Stage, baseUrl: string): Promise<readonly string[]> => {
  const apiKeys = createApiKeyStore(stage.documents, stage.tableNames.apiKeys);
  const products = await putSuiteProducts(stage);
  const keys = await issueSuiteKeys(apiKeys, host.now());
  try {
    const CART_EXPIRY_MINUTES = stage.outputs?.['CartExpiryMinutes'];
    const hasPassed = await runSuite({ BASE_URL: baseUrl, CART_EXPIRY_MINUTES, ...products, ...keys.inputs });
    if (!hasPassed) throw new OperatorError(`The stage ${stage.name} failed the acceptance suite.`);
  } finally {
    for (const keyId of keys.ids) await apiKeys.revoke(keyId, host.now());
  }
  return keys.ids;
};

const acceptStage = async (host: Host, flags: AcceptFlags): Promise<void> => {
  const stage = await findStage(flags, host.clock);
  const baseUrl = baseUrlOf(stage, flags);
  await recordChange(
    host,
    stage,
    { command: 'accept', ids: {} },
    () => runSuiteOn(host, stage, baseUrl),
    (keyIds) => ({ keyIds }),
  );
  const { name } = stage;
  await print(host, flags.json, { stage: name, baseUrl, accepted: true }, [
    `The stage ${name} passed the suite.`,
  ]);
};

const HELP = `
Examples:
  npm run operate -- accept
  npm run operate -- accept --stage prod

The suite has its own products and test keys. Afterwards, the products stay, the keys are revoked and the carts expire.`;

/** `accept`: runs the acceptance suite, which checks a stage over HTTP. */
export const acceptCommand = (host: Host): Command =>
  stageCommand('accept', 'run the acceptance suite against a stage', HELP)
    .option('--base-url <url>', "the stage's address; default: the one that the stage reports", parseHttpUrl)
    .action((flags: AcceptFlags) => acceptStage(host, flags));
