import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { isoTime, printable, printOnce } from '../output.ts';

/** What `--json` tells of a key that was just issued, its text included. */
const newKeyJson = (secret: string, key: StoredApiKey): object => {
  const { keyId, storeId, mode, limit, windowSeconds, lang, label, createdAtMs, expiresAtMs } = key;
  return {
    apiKey: secret,
    keyId,
    storeId,
    mode,
    limit,
    windowSeconds,
    ...(lang !== undefined && { lang }),
    ...(label !== undefined && { label }),
    createdAt: isoTime(createdAtMs),
    ...(expiresAtMs !== undefined && { expiresAt: isoTime(expiresAtMs) }),
  };
};

/** What a person is told of it. */
const newKeyLines = (secret: string, { keyId }: StoredApiKey): string[] => [
  `API key  ${secret}`,
  `Key id   ${keyId}`,
  'The API key is shown this once and stored nowhere: keep it now. The key id is no secret.',
];

/** A new key, and what else is told of it to a program, and to a person after all of it. */
export interface NewKeyTold {
  readonly secret: string;
  readonly key: StoredApiKey;
  readonly headline: string;
  readonly more?: object;
  readonly lastLines?: readonly string[];
}

/** Shows a new key, this once; if it cannot be shown, the command ends with a sentence. */
export const printNewKey = (
  isJson: true | undefined,
  { secret, key, headline, more, lastLines = [] }: NewKeyTold,
): Promise<void> =>
  printOnce(
    isJson,
    { ...newKeyJson(secret, key), ...more },
    [printable(headline), ...newKeyLines(secret, key), ...lastLines],
    [`The key ${key.keyId} was issued but could not be shown: revoke it.`, ...lastLines].join(' '),
  );
