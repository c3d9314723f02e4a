import { OperatorError } from '../terminal/operator-error.ts';
import { runGit } from './git.ts';

const BRANCHES = 'refs/heads/';

/**
 * The checked-out git branch. Each branch has a stage of its own. Git would shorten its name only as far as no tag has the same,
 * so a new tag would change the stage.
 *
 * @param folder a folder of another repository, for tests
 * @throws OperatorError if no branch is checked out
 */
export const currentBranch = (folder?: string): string => {
  const head = runGit(['symbolic-ref', '--quiet', 'HEAD'], folder);
  if (head.ok && head.output.startsWith(BRANCHES)) return head.output.slice(BRANCHES.length);
  const reason = head.ok || head.reason === '' ? 'No git branch is checked out.' : head.reason;
  throw new OperatorError(`${reason} Name the stage with -c stage=...`);
};
