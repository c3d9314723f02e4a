import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { makePrivateFolder } from '../../core/private-folder.ts';
import { hasCode, systemReason } from '../../core/system-errors.ts';
import { OperatorError } from '../../terminal/operator-error.ts';

/** The JSON of the file of `--state-file`. `null` if there is no file, and `undefined` if it cannot be read. */
export const readStateFile = (file: string): unknown => {
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch (error) {
    return hasCode(error, 'ENOENT') ? null : undefined;
  }
};

/**
 * Replaces the file of `--state-file` in one step, so that a reader never sees half of it. Only its owner can read it.
 *
 * @throws OperatorError if the file cannot be written
 */
export const writeStateFile = (file: string, value: object): void => {
  const draft = `${file}.${process.pid}`;
  try {
    makePrivateFolder(dirname(file));
    writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (cause) {
    const reason = systemReason(cause as Error);
    throw new OperatorError(
      `The file ${file} cannot be written (${reason}): name another with --state-file.`,
      { cause },
    );
  }
};
