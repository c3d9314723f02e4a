import type { Command } from 'commander';
import { counted } from '../../counted.ts';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, type Host, stageCommand, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import { describeKey, endedKey, findUsableKey } from './found-key.ts';

const refillKey = async (host: Host, idOrPrefix: string, flags: CommonFlags & YesFlag): Promise<void> => {
  const found = await findUsableKey(host, idOrPrefix, flags);
  const { keyId } = found;
  await confirmLive(host, `Refilling ${describeKey(found)}`, { ...found.key, ...flags });
  const change = { command: 'keys refill', ids: { keyId } };
  const { limit, windowSeconds } = await recordChange(host, found.stage, change, async () => {
    const key = await found.apiKeys.refill(keyId, host.now());
    if (!key) throw endedKey(keyId);
    return key;
  });
  await print(host, flags.json, { keyId, refilled: true, tokensLeft: limit }, [
    `The bucket of the key ${keyId} is full again. The limit stays ${counted(limit, 'request')} per ${windowSeconds} s.`,
  ]);
};

const HELP = `
Example:
  npm run operate -- keys refill 06292f8a --stage prod --yes

Use it if a store gets 429 although it sent few requests, or if it must continue after a mistake.
A key with an empty bucket may still get 429 for one second.`;

/** `keys refill`: fills the bucket of a key. */
export const refillKeyCommand = (host: Host): Command =>
  withYes(stageCommand('refill', "fill a key's bucket with all of its tokens", HELP))
    .argument('<keyId>', 'the id of the key or its beginning, not the key itself')
    .action((keyId: string, flags: CommonFlags & YesFlag) => refillKey(host, keyId, flags));
