import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../core/project.ts';
import { OperatorError } from '../terminal/operator-error.ts';

const FOLDER = join(ROOT, 'stages');

/** The values of a stage in its file, by name. */
export type StoredValues = Readonly<Record<string, unknown>>;

/**
 * Reads `stages/NAME.json`. A stage without a file has no values.
 *
 * @param folder where the files of the stages are
 * @throws OperatorError if the file has no JSON object
 */
export const readStageFile = (stageName: string, folder = FOLDER): StoredValues => {
  const file = join(folder, `${stageName}.json`);
  if (!existsSync(file)) return {};
  try {
    const values: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof values === 'object' && values !== null && !Array.isArray(values))
      return values as StoredValues;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new OperatorError(
    `stages/${stageName}.json must be a JSON object, such as {"alarmEmail": "ops@example.com"}.`,
  );
};
