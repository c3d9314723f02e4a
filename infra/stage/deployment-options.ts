import { parseJson } from '../../lib/core/parse-json.ts';
import { MalformedValueError, trueOrFalse } from './read-context-value.ts';
import type { StageContext } from './stage-context.ts';

/** The options of one deployment. The stage does not keep them. */
export interface DeploymentOptions {
  /** The values that the stage may lose, as `name=value`. An earlier commit need not know the names. */
  readonly drop: readonly string[];
  /** Whether it returns to an earlier commit. */
  readonly isRollback: boolean;
}

const isDrop = (value: unknown): value is string => typeof value === 'string' && /^\w+=./s.test(value);

/** @throws MalformedValueError */
export const deploymentOptionsOf = (context: StageContext): DeploymentOptions => {
  const { drop = '[]' } = context;
  const values = drop.startsWith('[') ? parseJson(drop) : [drop];
  if (Array.isArray(values) && values.every(isDrop))
    return { drop: values, isRollback: trueOrFalse(context, 'rollback', false) };
  throw new MalformedValueError('drop', 'NAME=VALUE, with the value that the stage has now');
};
