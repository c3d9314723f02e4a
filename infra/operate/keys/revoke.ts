import type { Run } from '../command.ts';
import type { REVOKE_KEY } from './commands.ts';
import { describeKey, unknownKey } from './found-key.ts';

export const run: Run<typeof REVOKE_KEY> = async (options, { stage, stores, now, confirm, change }) => {
  const { keyId, key } = options.key;
  // Treat an unreadable key as live.
  const mode = key?.mode ?? 'live';
  await confirm(`Revoking ${describeKey(keyId, key, stage)} at once and for ever`, mode);
  await change({ keyId }, async () => {
    if ((await stores.apiKeys.revoke(keyId, now())) === 'unknown') throw unknownKey(keyId);
  });
  return { json: { keyId, revoked: true }, lines: [`Revoked the key ${keyId}.`] };
};
