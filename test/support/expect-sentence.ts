import { expect } from 'vitest';
import type { Ended } from './processes.ts';

/** Expects one sentence on standard error, without a stack trace, and nothing on standard output. */
export const expectSentence = ({ stdout, stderr }: Omit<Ended, 'exitCode'>, words: RegExp): void => {
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).not.toMatch(/node:|file:|\.ts\b|\bE[A-Z]{5,}\b|@smithy|Exception/);
  expect(stderr).toMatch(words);
};

/** Expects a command to fail with an exit code and one sentence. */
export const expectFailure = (ended: Ended, exitCode: 1 | 2, words: RegExp): void => {
  expectSentence(ended, words);
  expect(ended.exitCode).toBe(exitCode);
};
