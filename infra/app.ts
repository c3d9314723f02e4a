import { execFileSync } from 'node:child_process';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { CartCheckoutStack } from './stack/cart-checkout-stack.ts';
import { OperatorError } from './operator-error.ts';
import { stackNameOf, stageConfig } from './stages.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

/** `-c name=value` of the CDK's command line. */
const context = (name: string): string | undefined => {
  const value: unknown = app.node.tryGetContext(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/**
 * The checked-out branch; a stage of its own for each.
 *
 * @throws OperatorError where no branch is checked out
 */
const currentBranch = (): string => {
  try {
    return execFileSync('git', ['symbolic-ref', '--quiet', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    throw new OperatorError(
      'No git branch is checked out to name the stage after: name it with -c stage=...',
    );
  }
};

try {
  const config = stageConfig({
    stage: context('stage') ?? currentBranch(),
    checkoutUrl: context('checkoutUrl'),
    requestsPerSecond: context('requestsPerSecond'),
    cartExpiryMinutes: context('cartExpiryMinutes'),
    alarmEmail: context('alarmEmail'),
    firewall: context('firewall'),
  });
  new CartCheckoutStack(app, stackNameOf(config.name), config, { description: 'Cart Checkout API' });
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
