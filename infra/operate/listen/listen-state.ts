import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import { hasCode } from '../../error-code.ts';
import { LOCAL_FOLDER } from '../../local/stage-file.ts';
import { OperatorError } from '../../operator-error.ts';

const schema = z.object({
  secret: z.string(),
  cursor: z.optional(z.string()),
  lastEventId: z.optional(z.string()),
});

/** The state of `listen` between its runs. */
export interface ListenState {
  /** Signs the forwarded events: `whsec_` and base64. */
  readonly secret: string;
  /** Everything before it was forwarded. */
  readonly cursor?: string | undefined;
  /** The last event after the cursor that was forwarded, if the page was not finished. */
  readonly lastEventId?: string | undefined;
}

/** The file of one stage and one key. Its name does not reveal the key. */
export const listenStateFile = (baseUrl: string, apiKey: string): string => {
  const name = createHash('sha256')
    .update(`${baseUrl}\n${apiKeyId(apiKey)}`)
    .digest('hex')
    .slice(0, 24);
  return join(LOCAL_FOLDER, 'listen', `${name}.json`);
};

/**
 * Reads a state file. Returns `undefined` if there is none.
 *
 * @throws OperatorError if it cannot be read
 */
export const readListenState = (file: string): ListenState | undefined => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new OperatorError(
      `The state of \`listen\` in ${file} cannot be read: delete the file. The next run creates a new secret, and starts with the oldest event.`,
    );
  }
};

/**
 * Replaces a state file in one step, so that a reader never sees half of it. It holds a secret: only its owner can read it.
 *
 * @throws OperatorError if the file cannot be written
 */
export const writeListenState = (file: string, state: ListenState): void => {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    throw new OperatorError(
      `The file ${file} cannot be written: free its disk, or name another with --state-file.`,
      {
        cause: error,
      },
    );
  }
};
