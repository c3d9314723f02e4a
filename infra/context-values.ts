import { OperatorError } from './operator-error.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}

/**
 * @param otherwise what else the value may be, for the message
 * @throws OperatorError if the text is not a whole number of the range
 */
export const wholeNumber = (name: string, text: string, { min, max }: Range, otherwise = ''): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new OperatorError(`The ${name} must be a whole number from ${min} to ${max}${otherwise}.`);
};

/** @throws OperatorError if the text is neither `true` nor `false` */
export const trueOrFalse = (name: string, text: string): boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new OperatorError(`The ${name} must be true or false.`);
};
