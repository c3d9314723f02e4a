import { counted } from '../../counted.ts';
import type { Run } from '../command.ts';
import type { SET_LIMIT } from './commands.ts';
import { describeKey, endedKey } from './found-key.ts';
import { assertStageLimits } from './stage-limits.ts';

export const run: Run<typeof SET_LIMIT> = async (options, { stage, stores, now, confirm, change }) => {
  const { key, limit, window: windowSeconds } = options;
  const { keyId } = key;
  const limits = { limit, windowSeconds };
  assertStageLimits(limits, stage);
  const described = `${counted(limit, 'request')} per ${windowSeconds} s`;
  await confirm(`Limiting ${describeKey(keyId, key, stage)} to ${described}`, key.mode);
  await change({ keyId, ...limits }, async () => {
    if (!(await stores.apiKeys.setLimits(keyId, limits, now()))) throw endedKey(keyId);
  });
  const before = `${key.limit} per ${key.windowSeconds} s`;
  return {
    json: { keyId, ...limits },
    lines: [`The key ${keyId} now has ${described}. Before, it had ${before}.`],
  };
};
