import { expect } from 'vitest';
import type { Ended } from './processes.ts';

/** A standard error in which the JSON of a failure, which `--json` prints, is the message alone. */
export const saidIn = (stderr: string): string =>
  stderr.replace(/^\{"error":.*\}\n$/m, (line) => {
    const { error } = JSON.parse(line) as { readonly error: { readonly message: string } };
    return `${error.message}\n`;
  });

/** Expects one sentence on standard error, without a stack trace, and nothing on standard output. */
const expectSentence = (ended: Omit<Ended, 'exitCode'>, words: RegExp): void => {
  const { stdout } = ended;
  const stderr = saidIn(ended.stderr);
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
