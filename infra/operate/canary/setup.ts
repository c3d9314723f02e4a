import { Command } from 'commander';
import { createApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { createCanaryKey } from '../../../lib/canary/canary-key.ts';
import { CANARY_PRODUCT, CANARY_STORE_ID } from '../../../lib/canary/canary-store.ts';
import { createProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, stageCommand } from '../options.ts';
import { print } from '../output.ts';
import { findStage, type Stage } from '../stage.ts';

/** Far more than the canary's requests, and below the largest limits of the smallest stage with a canary. */
const LIMITS = { limit: 60, windowSeconds: 60 };

const canaryTableOf = ({ name, outputs }: Stage): string => {
  const table = outputs?.['CanaryTable'];
  if (table !== undefined) return table;
  throw new OperatorError(
    `The stage ${name} has no canary: select a deployed stage with --stage, and deploy it with -c canary=true.`,
  );
};

const setUp = async (host: Host, flags: CommonFlags): Promise<void> => {
  const stage = await findStage(flags, host.clock);
  const canaryKey = createCanaryKey(stage.documents, canaryTableOf(stage));
  const apiKeys = createApiKeyStore(stage.documents, stage.tableNames.apiKeys);
  const products = createProductCatalogue(stage.documents, stage.tableNames.products);
  const old = await canaryKey.find();
  const secret = generateApiKey('test');
  const key = { secret, storeId: CANARY_STORE_ID, mode: 'test', label: 'canary', ...LIMITS } as const;
  const keyId = apiKeyId(secret);
  const oldKeyId = old === undefined ? undefined : apiKeyId(old);
  const change = { command: 'canary setup', ids: { keyId, oldKeyId } };
  await recordChange(host, stage, change, async () => {
    await products.put(CANARY_PRODUCT);
    await apiKeys.issue({ ...key, nowMs: host.now() });
    await canaryKey.replace(secret);
    if (oldKeyId !== undefined) await apiKeys.revoke(oldKeyId, host.now());
  });
  await print(host, flags.json, { stage: stage.name, keyId }, [
    `The canary of ${stage.name} has the new key ${keyId}.${old === undefined ? '' : ' Its old key is revoked.'}`,
  ]);
};

const HELP = `
Example:
  npm run operate -- canary setup --stage prod

Run it after the first deployment, and again to rotate the key. Nobody sees the key: the canary reads it from its table.`;

/** `canary`: with `setup`, it stores the product and a new test key of a stage's canary, and revokes its old key. */
export const canaryCommand = (host: Host): Command =>
  new Command('canary')
    .description("set up a stage's canary, which checks the stage every minute")
    .addCommand(
      stageCommand(
        'setup',
        'give the canary its product and a new key, which replaces its old one',
        HELP,
      ).action((flags: CommonFlags) => setUp(host, flags)),
    );
