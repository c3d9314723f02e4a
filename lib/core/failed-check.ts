import { describeFailure } from './failure.ts';

/** A check of a response that failed. Its message quotes nothing of the response, so that it can be logged. */
export class FailedCheck extends Error {}

/** Checks a condition. Throws a {@link FailedCheck} with the sentence if it is false. */
export const check = (isTrue: boolean, sentence: string): void => {
  if (!isTrue) throw new FailedCheck(sentence);
};

/** The part of a failure that may be logged. */
export const describeFailedRun = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof FailedCheck ? { reason: error.message } : { cause: describeFailure(error) };
