import type { Command } from 'commander';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, type Host, stageCommand, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import { describeKey, findKey, unknownKey } from './found-key.ts';

const revokeKey = async (host: Host, idOrPrefix: string, flags: CommonFlags & YesFlag): Promise<void> => {
  const found = await findKey(host, idOrPrefix, flags);
  const { keyId } = found;
  // Treat an unreadable key as live.
  const mode = found.key?.mode ?? 'live';
  await confirmLive(host, `Revoking ${describeKey(found)} at once and for ever`, { mode, ...flags });
  await recordChange(host, found.stage, { command: 'keys revoke', ids: { keyId } }, async () => {
    const outcome = await found.apiKeys.revoke(keyId, host.now());
    if (outcome === 'unknown') throw unknownKey(keyId);
  });
  await print(host, flags.json, { keyId, revoked: true }, [`Revoked the key ${keyId}.`]);
};

const HELP = `
Example:
  npm run operate -- keys revoke 06292f8a --stage prod --yes

The key's next request gets 401. While its bucket is empty, requests may still get 429 for one second.
A revoked key never works again. To replace a key without rejected requests, use \`keys rotate\`.`;

/** `keys revoke`: ends a key at once. */
export const revokeKeyCommand = (host: Host): Command =>
  withYes(stageCommand('revoke', 'revoke a key at once and for ever', HELP))
    .argument('<keyId>', 'the id of the key or its beginning, not the key itself')
    .action((keyId: string, flags: CommonFlags & YesFlag) => revokeKey(host, keyId, flags));
