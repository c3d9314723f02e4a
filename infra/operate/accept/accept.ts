import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/core/durations.ts';
import type { Product } from '../../../lib/products/product.ts';
import { ROOT } from '../../core/project.ts';
import { hideAwsSettings } from '../../local-access/aws-settings.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action } from '../frame/command.ts';
import { outputOf } from '../target/stage.ts';
import type { ACCEPT } from './commands.ts';

/** The suite's own stores, so that it changes no merchant's products. */
const STORE = 'acceptance-one';
const OTHER_STORE = 'acceptance-two';

const product = (id: string, changes: Partial<Product> = {}): Product => ({
  id,
  storeId: STORE,
  name: 'Acceptance',
  available: true,
  currency: 'EUR',
  pricing: { type: 'fixed', amount: 49.9 },
  ...changes,
});

/** The suite's products, by its environment variables. */
const PRODUCTS = {
  PRODUCT_ID: product('acceptance-course'),
  FREE_PRODUCT_ID: product('acceptance-donation', { pricing: { type: 'free', suggested: 5 } }),
  UNAVAILABLE_PRODUCT_ID: product('acceptance-retired', { available: false }),
  FOREIGN_PRODUCT_ID: product('acceptance-poster', { storeId: OTHER_STORE }),
};

/** The suite's test keys, by its environment variables. */
const KEYS = {
  // The largest limits of a key on the stage of a branch.
  API_KEY: { storeId: STORE, limit: 100, windowSeconds: 5 },
  OTHER_API_KEY: { storeId: OTHER_STORE, limit: 60, windowSeconds: 60 },
  SMALL_LIMIT_API_KEY: { storeId: STORE, limit: 3, windowSeconds: 3_600 },
};

/** If the suite dies before its keys are revoked, they expire. */
const KEY_LIFETIME_MS = HOUR_MS;

/** Until then, a key id in a log line finds its key. */
const KEY_DELETED_AFTER_MS = 7 * DAY_MS;

/**
 * Runs the suite. Its inputs are environment variables, because a list of processes shows arguments. It writes to
 * standard error, because standard output holds nothing but the result.
 *
 * @returns whether it passed
 */
const runSuite = async (inputs: NodeJS.ProcessEnv): Promise<boolean> => {
  const env = { ...process.env, ...inputs };
  // It speaks HTTP alone, and needs no keys of AWS.
  hideAwsSettings(env);
  const suite = spawn('npm', ['run', '--silent', 'test:acceptance'], {
    cwd: ROOT,
    env,
    // 2 is standard error.
    stdio: ['ignore', 2, 2],
  });
  const [exitCode] = (await once(suite, 'close')) as [number | null];
  return exitCode === 0;
};

export const accept: Action<typeof ACCEPT> = async (options, { stage, repositories, now, change }) => {
  const baseUrl = options.baseUrl ?? (stage.isLocal ? stage.baseUrl : outputOf(stage, 'BaseUrl'));
  if (baseUrl === undefined) {
    throw new OperatorError('The address of this local stage is unknown: pass --base-url.');
  }
  const keys = Object.values(KEYS).map((key) => ({ ...key, keyText: generateApiKey('test') }));
  const inputs = {
    BASE_URL: baseUrl,
    CART_EXPIRY_MINUTES: stage.outputs['CartExpiryMinutes'],
    ...Object.fromEntries(Object.entries(PRODUCTS).map(([variable, { id }]) => [variable, id])),
    ...Object.fromEntries(Object.keys(KEYS).map((variable, i) => [variable, keys[i]?.keyText])),
  };
  const keyIds = keys.map(({ keyText }) => apiKeyId(keyText));
  await change({ keyIds }, async () => {
    const nowMs = now();
    const settings = {
      mode: 'test',
      label: 'acceptance',
      expiresAtMs: nowMs + KEY_LIFETIME_MS,
      deleteAtSeconds: Math.ceil((nowMs + KEY_DELETED_AFTER_MS) / 1_000),
      nowMs,
    } as const;
    try {
      for (const each of Object.values(PRODUCTS)) await repositories.products.put(each);
      for (const key of keys) await repositories.apiKeys.issue({ ...key, ...settings });
      if (await runSuite(inputs)) return;
      throw new OperatorError(`The stage ${stage.name} failed the acceptance suite.`);
    } finally {
      for (const keyId of keyIds) await repositories.apiKeys.revoke(keyId, now());
    }
  });
  const lines = [`The stage ${stage.name} passed the suite.`];
  return { json: { stage: stage.name, baseUrl, accepted: true }, lines };
};
