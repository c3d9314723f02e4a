import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { printable, type Streams } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import { isoTime, optionalIsoTime, print } from '../output.ts';

/** The JSON fields of a key that its use does not change. */
export const keyJson = ({ createdAtMs, expiresAtMs, ...key }: StoredApiKey) => ({
  keyId: key.keyId,
  storeId: key.storeId,
  label: key.label,
  mode: key.mode,
  limit: key.limit,
  windowSeconds: key.windowSeconds,
  lang: key.lang,
  createdAt: isoTime(createdAtMs),
  expiresAt: optionalIsoTime(expiresAtMs),
});

/** A new key with its secret, and the additions of a command. */
interface NewKeyResult {
  readonly secret: string;
  readonly key: StoredApiKey;
  /** The first line for a person. */
  readonly headline: string;
  /** The last line for a person. */
  readonly lastLine?: string;
  /** Further fields of the JSON. */
  readonly fields?: object;
}

/**
 * Prints a new key. Its secret is stored nowhere, and cannot be printed again.
 *
 * @throws OperatorError with the key's id if standard output does not accept it
 */
export const printNewKey = async (
  streams: Streams,
  isJson: true | undefined,
  { secret, key, headline, lastLine, fields }: NewKeyResult,
): Promise<void> => {
  const lastLines = lastLine === undefined ? [] : [lastLine];
  const lines = [
    printable(headline),
    `API key  ${secret}`,
    `Key id   ${key.keyId}`,
    'Keep the API key now: it is stored nowhere and never shown again. The key id is no secret.',
    ...lastLines,
  ];
  try {
    await print(streams, isJson, { apiKey: secret, ...keyJson(key), ...fields }, lines);
  } catch {
    const loss = `The key ${key.keyId} was issued but could not be shown: revoke it.`;
    throw new OperatorError([loss, ...lastLines].join(' '));
  }
};
