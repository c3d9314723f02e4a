import { execFileSync } from 'node:child_process';
import { OperatorError } from '../terminal/operator-error.ts';

/**
 * The checked-out git branch. Each branch has a stage of its own.
 *
 * @throws OperatorError if no branch is checked out
 */
export const currentBranch = (): string => {
  try {
    return execFileSync('git', ['symbolic-ref', '--quiet', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    throw new OperatorError('No git branch is checked out. Name the stage with -c stage=...');
  }
};
