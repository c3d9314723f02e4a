import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { OperatorError } from '../../operator-error.ts';
import { isoTime } from '../output.ts';

/** What `--json` tells of a key that was just issued, its text included. */
export const newKeyJson = (secret: string, key: StoredApiKey): object => {
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
export const newKeyLines = (secret: string, { keyId }: StoredApiKey): string[] => [
  `API key  ${secret}`,
  `Key id   ${keyId}`,
  'The API key is shown this once and stored nowhere: keep it now. The key id is no secret.',
];

/** 190 random bits are not drawn twice: the SDK repeated a write whose answer was lost, and found its own item. */
export const lostKey = (): OperatorError =>
  new OperatorError('The database lost an answer, and the key with it: issue another one.');
