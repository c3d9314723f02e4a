import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { defaultLimit } from '../../../lib/api-keys/limits.ts';
import { counted } from '../../counted.ts';
import type { Run } from '../command.ts';
import { isoTime } from '../output.ts';
import type { ISSUE_KEY } from './commands.ts';
import { newKeyResult } from './new-key.ts';
import { assertStageLimits, limitsMaxOf } from './stage-limits.ts';

export const run: Run<typeof ISSUE_KEY> = async (options, { stage, stores, now, confirm, change }) => {
  const { store: storeId, mode, window: windowSeconds, expiresIn, lang, label } = options;
  const limit = options.limit ?? defaultLimit(windowSeconds, limitsMaxOf(stage));
  assertStageLimits({ limit, windowSeconds }, stage);
  await confirm(`Issuing a live key for ${storeId} on the stage ${stage.name}`, mode);
  const secret = generateApiKey(mode);
  const nowMs = now();
  const expiresAtMs = expiresIn && nowMs + expiresIn;
  const settings = { storeId, mode, limit, windowSeconds };
  const key = await change({ keyId: apiKeyId(secret), ...settings }, () =>
    stores.apiKeys.issue({ secret, ...settings, lang, label, expiresAtMs, nowMs }),
  );
  const until = expiresAtMs === undefined ? '' : `, until ${isoTime(expiresAtMs)}`;
  const limits = `${counted(limit, 'request')} per ${windowSeconds} s`;
  return newKeyResult(secret, key, `Issued a ${mode} key for ${storeId}: ${limits}${until}.`);
};
