import { counted } from '../../counted.ts';
import type { Run } from '../command.ts';
import type { REFILL_KEY } from './commands.ts';
import { describeKey, endedKey } from './found-key.ts';

export const run: Run<typeof REFILL_KEY> = async ({ key }, { stage, stores, now, confirm, change }) => {
  const { keyId } = key;
  await confirm(`Refilling ${describeKey(keyId, key, stage)}`, key.mode);
  const { limit, windowSeconds } = await change({ keyId }, async () => {
    const refilled = await stores.apiKeys.refill(keyId, now());
    if (!refilled) throw endedKey(keyId);
    return refilled;
  });
  const limits = `${counted(limit, 'request')} per ${windowSeconds} s`;
  return {
    json: { keyId, refilled: true, tokensLeft: limit },
    lines: [`The bucket of the key ${keyId} is full again. The limit stays ${limits}.`],
  };
};
