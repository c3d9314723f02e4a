import { Command, InvalidArgumentError, Option } from 'commander';
import { type ApiKeyStore, createApiKeyStore } from '../../lib/api-keys/api-key-store.ts';
import { generateApiKey, type Mode } from '../../lib/api-keys/api-key.ts';
import { DEFAULT_LIMITS, refuseLimits } from '../../lib/api-keys/limits.ts';
import { parseLocale } from '../../lib/carts/locale.ts';
import { parseHttpUrl } from '../command-line.ts';
import { OperatorError } from '../operator-error.ts';
import { print } from './output.ts';
import { findStage } from './stage.ts';

interface IssueFlags {
  readonly store: string;
  readonly mode: Mode;
  readonly limit: number;
  readonly window: number;
  readonly lang?: string;
  readonly label?: string;
  readonly dynamodb?: string;
  readonly json: boolean;
}

type RevokeFlags = Pick<IssueFlags, 'dynamodb' | 'json'>;

const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(text);
};

const parseStoreId = (text: string): string => {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(text)) {
    throw new InvalidArgumentError('It must be 1 to 128 letters, digits, _ or -.');
  }
  return text;
};

const parseLang = (text: string): string => {
  const locale = parseLocale(text);
  if (locale === undefined)
    throw new InvalidArgumentError('It must be a language and a region, such as fr-FR.');
  return locale;
};

const apiKeysAt = (dynamodbUrl: string | undefined): ApiKeyStore => {
  const { documents, tableNames } = findStage(dynamodbUrl);
  return createApiKeyStore(documents, tableNames.apiKeys);
};

const issueKey = async ({
  store,
  mode,
  limit,
  window,
  lang,
  label,
  dynamodb,
  json,
}: IssueFlags): Promise<void> => {
  const limits = { limit, windowSeconds: window };
  const refusal = refuseLimits(limits);
  if (refusal !== undefined) throw new OperatorError(refusal);

  const secret = generateApiKey(mode);
  const key = await apiKeysAt(dynamodb).issue({
    secret,
    storeId: store,
    mode,
    ...limits,
    lang,
    label,
    nowMs: Date.now(),
  });
  // 190 random bits are not drawn twice: the SDK repeated a write whose answer was lost, and found its own item.
  if (!key) throw new OperatorError('The database lost an answer, and the key with it: issue another one.');
  const issued = {
    apiKey: secret,
    keyId: key.keyId,
    storeId: store,
    mode,
    ...limits,
    ...(lang !== undefined && { lang }),
    ...(label !== undefined && { label }),
    createdAt: new Date(key.createdAtMs).toISOString(),
  };
  print(json, issued, [
    `Issued a ${mode} key for ${store}: ${limit} requests per ${window} s.`,
    `API key  ${secret}`,
    `Key id   ${key.keyId}`,
    'The API key is shown this once and stored nowhere: keep it now. The key id is no secret.',
  ]);
};

const revokeKey = async (keyId: string, { dynamodb, json }: RevokeFlags): Promise<void> => {
  // What was given is not repeated: it may be a key instead of its id.
  if (!/^[0-9a-f]{64}$/.test(keyId)) {
    throw new OperatorError('A key id is 64 hexadecimal digits, as shown when the key was issued.');
  }
  const outcome = await apiKeysAt(dynamodb).revoke(keyId, Date.now());
  if (outcome === 'unknown') throw new OperatorError(`No key has the id ${keyId}.`);
  print(json, { keyId, revoked: true }, [`Revoked the key ${keyId}.`]);
};

const withStageOptions = (command: Command): Command =>
  command
    .option('--dynamodb <url>', 'the DynamoDB of the stage; by default the running local stage', parseHttpUrl)
    .option('--json', 'print one line of JSON', false);

/** `keys`: issue and revoke the API keys of stores. */
export const keysCommand = (): Command => {
  const keys = new Command('keys').description("issue and revoke stores' API keys");
  withStageOptions(keys.command('issue'))
    .description('issue a key; its secret is shown once')
    .requiredOption('--store <id>', 'the store that the key opens', parseStoreId)
    .addOption(
      new Option('--mode <mode>', 'which carts the key makes').choices(['test', 'live']).default('test'),
    )
    .option('--limit <number>', 'requests per window', parseCount, DEFAULT_LIMITS.limit)
    .option('--window <seconds>', 'length of the window in seconds', parseCount, DEFAULT_LIMITS.windowSeconds)
    .option('--lang <xx-YY>', 'the locale of buyers whose request names none', parseLang)
    .option('--label <text>', 'a name for people to know the key by')
    .action(issueKey);
  withStageOptions(keys.command('revoke <keyId>'))
    .description('revoke a key at once and for good')
    .action(revokeKey);
  return keys;
};
