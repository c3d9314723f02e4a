import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { createCanaryKeyRepository } from '../../../lib/canary/canary-key-repository.ts';
import { CANARY_PRODUCT, CANARY_STORE_ID } from '../../../lib/canary/canary-store.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action } from '../frame/command.ts';
import type { CANARY } from './commands.ts';

/** Far more than the canary's requests, and below the largest limits of the smallest stage with a canary. */
const LIMITS = { limit: 60, windowSeconds: 60 };

export const setup: Action<typeof CANARY.setup> = async (_options, { stage, repositories, now, change }) => {
  const { name, outputs, documents, tableNames } = stage;
  if (outputs['HasCanary'] === undefined) {
    throw new OperatorError(`The stage ${name} has no canary: deploy it with -c canary=true.`);
  }
  const canaryKey = createCanaryKeyRepository(documents, tableNames.secrets);
  const oldKeyText = await canaryKey.find();
  const keyText = generateApiKey('test');
  const key = { keyText, storeId: CANARY_STORE_ID, mode: 'test', label: 'canary', ...LIMITS } as const;
  const keyId = apiKeyId(keyText);
  const oldKeyId = oldKeyText === undefined ? undefined : apiKeyId(oldKeyText);
  await change({ keyId, oldKeyId }, async () => {
    await repositories.products.put(CANARY_PRODUCT);
    await repositories.apiKeys.issue({ ...key, nowMs: now() });
    await canaryKey.replace(keyText);
    if (oldKeyId !== undefined) await repositories.apiKeys.revoke(oldKeyId, now());
  });
  const revoked = oldKeyId === undefined ? '' : ' Its old key is revoked.';
  return {
    json: { stage: name, keyId },
    lines: [`The canary of ${name} has the new key ${keyId}.${revoked}`],
  };
};
