import { execFileSync } from 'node:child_process';
import { OperatorError } from './operator-error.ts';
import { CartCheckoutApp } from './stack/cart-checkout-app.ts';

/**
 * The checked-out git branch. Each branch has a stage of its own.
 *
 * @throws OperatorError if no branch is checked out
 */
const currentBranch = (): string => {
  try {
    return execFileSync('git', ['symbolic-ref', '--quiet', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    throw new OperatorError('No git branch is checked out. Name the stage with -c stage=...');
  }
};

try {
  new CartCheckoutApp(currentBranch);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
