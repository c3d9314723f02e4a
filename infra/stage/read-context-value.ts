import { OperatorError } from '../terminal/operator-error.ts';
import type { ContextName, StageContext } from './stage-context.ts';

/** A context value that is malformed. */
export class MalformedValueError extends OperatorError {
  /** The values that a stage accepts. */
  readonly accepted: string;

  constructor(name: ContextName, accepted: string, remark = '') {
    super(`The ${name} must be ${accepted}.${remark}`);
    this.accepted = accepted;
  }
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/**
 * Reads a whole number.
 *
 * @param otherwise what else the value may be, for the message
 * @returns `undefined` if the value is not set
 * @throws MalformedValueError if the value is not a whole number of the range
 */
export const wholeNumber = (
  context: StageContext,
  name: ContextName,
  { min, max }: Range,
  otherwise = '',
): number | undefined => {
  const text = context[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new MalformedValueError(name, `a whole number from ${min} to ${max}${otherwise}`);
};

/** @throws MalformedValueError if the value is neither `true` nor `false` */
export const trueOrFalse = (context: StageContext, name: ContextName, byDefault: boolean): boolean => {
  const text = context[name] ?? String(byDefault);
  if (text === 'true' || text === 'false') return text === 'true';
  throw new MalformedValueError(name, 'true or false');
};
