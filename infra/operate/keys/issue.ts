import { type Command, InvalidArgumentError, Option } from 'commander';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import type { Mode } from '../../../lib/core/mode.ts';
import { DEFAULT_LIMITS, defaultLimit } from '../../../lib/api-keys/limits.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { CANARY_STORE_ID } from '../../../lib/canary/canary-store.ts';
import { parseLocale } from '../../../lib/carts/locale.ts';
import { UsageError } from '../../command-line.ts';
import { counted } from '../../counted.ts';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import {
  type CommonFlags,
  type Host,
  parseCount,
  parseId,
  parseLifetime,
  parseText,
  stageCommand,
  withYes,
  type YesFlag,
} from '../options.ts';
import { isoTime } from '../output.ts';
import { assertStore } from '../stores/known-store.ts';
import { assertLimits, assertStageLimits, findKeys } from './found-key.ts';
import { printNewKey } from './new-key.ts';

interface IssueFlags extends CommonFlags, YesFlag {
  readonly store: string;
  readonly mode: Mode;
  readonly limit?: number;
  readonly window: number;
  readonly expiresIn?: number;
  readonly lang?: string;
  readonly label?: string;
}

const parseLang = (text: string): string => {
  const locale = parseLocale(text);
  if (locale === undefined)
    throw new InvalidArgumentError('It must be a language and a region, such as fr-FR.');
  return locale;
};

const headlineOf = ({ mode, storeId, limit, windowSeconds, expiresAtMs }: StoredApiKey): string => {
  const expiry = expiresAtMs === undefined ? '' : `, until ${isoTime(expiresAtMs)}`;
  return `Issued a ${mode} key for ${storeId}: ${counted(limit, 'request')} per ${windowSeconds} s${expiry}.`;
};

const issueKey = async (host: Host, flags: IssueFlags): Promise<void> => {
  const { store, mode, limit, window, expiresIn, lang, label, json } = flags;
  assertLimits({ limit: limit ?? defaultLimit(window), windowSeconds: window });
  if (store === CANARY_STORE_ID) {
    throw new UsageError(
      `The store ${store} is reserved: its requests count in no metric. Use another name.`,
    );
  }
  const { apiKeys, stage, limitsMax } = await findKeys(host, flags);
  const limits = { limit: limit ?? defaultLimit(window, limitsMax), windowSeconds: window };
  assertStageLimits(limits, limitsMax);
  // Reads also correct the clock.
  await assertStore(stage, store);
  await confirmLive(host, `Issuing a live key for ${store} on the stage ${stage.name}`, flags);
  const secret = generateApiKey(mode);
  const nowMs = host.now();
  const expiresAtMs = expiresIn && nowMs + expiresIn;
  const newKey = { secret, storeId: store, mode, ...limits, lang, label, expiresAtMs, nowMs };
  const change = { command: 'keys issue', ids: { keyId: apiKeyId(secret), storeId: store, mode, ...limits } };
  const key = await recordChange(host, stage, change, () => apiKeys.issue(newKey));
  await printNewKey(host, json, { secret, key, headline: headlineOf(key) });
};

const HELP = `
Examples:
  npm run operate -- keys issue --store shop
  npm run operate -- keys issue --store shop --limit 1000 --window 60 --label 'Web shop' --lang fr-FR
  npm run operate -- keys issue --store shop --expires-in 90d
  npm run --silent operate -- keys issue --store shop --mode live --stage prod --yes --json

Add a new store first, with \`stores put\`.`;

/** `keys issue`: issues a key for a store. */
export const issueKeyCommand = (host: Host): Command =>
  withYes(stageCommand('issue', 'issue a key and show it once', HELP))
    .requiredOption('--store <id>', 'the store that the key belongs to', parseId)
    .addOption(
      new Option('--mode <mode>', 'the mode of the key and its carts')
        .choices(['test', 'live'])
        .default('test'),
    )
    .option(
      '--limit <number>',
      `requests per window; default: ${DEFAULT_LIMITS.limit}, or less if the stage allows a key less`,
      parseCount,
    )
    .option('--window <seconds>', 'length of the window in seconds', parseCount, DEFAULT_LIMITS.windowSeconds)
    .option('--expires-in <duration>', 'the lifetime of the key, such as 90d; default: no end', parseLifetime)
    .option('--lang <xx-YY>', 'the locale of a cart if its request names none', parseLang)
    .option('--label <text>', 'a name by which people recognise the key', parseText)
    .action((flags: IssueFlags) => issueKey(host, flags));
