import { expect } from 'vitest';
import type { Ended } from './processes.ts';

/** Expects what a person is told when a command fails: one line on standard error, in words, without a stack trace. */
export const expectSentence = ({ stdout, stderr }: Ended, words: RegExp): void => {
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).not.toMatch(/node:|file:|\.ts\b|\bE[A-Z]{5,}\b|@smithy|Exception/);
  expect(stderr).toMatch(words);
};
