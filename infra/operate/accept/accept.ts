import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { OperatorError } from '../../operator-error.ts';
import type { Context, Action } from '../command.ts';
import { outputOf } from '../stack-outputs.ts';
import type { ACCEPT } from './commands.ts';
import { issueSuiteKeys, putSuiteProducts } from './suite-inputs.ts';

const ROOT = join(import.meta.dirname, '../../..');

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

/** Gives the suite its inputs, runs it, and revokes its keys. Returns their ids. */
const acceptStage = async (baseUrl: string, { stage, stores, now }: Context): Promise<readonly string[]> => {
  const products = await putSuiteProducts(stores.products);
  const keys = await issueSuiteKeys(stores.apiKeys, now());
  try {
    const CART_EXPIRY_MINUTES = stage.outputs?.['CartExpiryMinutes'];
    const hasPassed = await runSuite({ BASE_URL: baseUrl, CART_EXPIRY_MINUTES, ...products, ...keys.inputs });
    if (!hasPassed) throw new OperatorError(`The stage ${stage.name} failed the acceptance suite.`);
  } finally {
    for (const keyId of keys.ids) await stores.apiKeys.revoke(keyId, now());
  }
  return keys.ids;
};

export const accept: Action<typeof ACCEPT> = async (options, context) => {
  const { stage } = context;
  const baseUrl = options.baseUrl ?? (stage.outputs ? outputOf(stage, 'BaseUrl') : stage.localUrl);
  if (baseUrl === undefined) {
    throw new OperatorError('The address of this local stage is unknown: pass --base-url.');
  }
  await context.change(
    {},
    () => acceptStage(baseUrl, context),
    (keyIds) => ({ keyIds }),
  );
  const lines = [`The stage ${stage.name} passed the suite.`];
  return { json: { stage: stage.name, baseUrl, accepted: true }, lines };
};
