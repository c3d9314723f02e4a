import { execFileSync } from 'node:child_process';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { CartCheckoutStack } from './cart-checkout-stack.ts';
import { OperatorError } from './operator-error.ts';
import { stageConfig } from './stages.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

/** `-c name=value` of the CDK's command line. */
const context = (name: string): string | undefined => {
  const value: unknown = app.node.tryGetContext(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The checked-out branch; a stage of its own for each. */
const currentBranch = (): string =>
  execFileSync('git', ['rev-parse', '--abbrev-ref', 'HEAD'], { encoding: 'utf8' }).trim();

try {
  const config = stageConfig({
    stage: context('stage') ?? currentBranch(),
    checkoutUrl: context('checkoutUrl'),
  });
  new CartCheckoutStack(app, `CartCheckout-${config.name}`, config, { description: 'Cart Checkout API' });
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
