import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { stackNameOf, stageConfig } from '../stages.ts';
import { CartCheckoutStack } from './cart-checkout-stack.ts';

/** The CDK app: the stack of one stage, checked by cdk-nag. An unacknowledged finding makes the synthesis fail. */
export class CartCheckoutApp extends App {
  readonly stack: CartCheckoutStack;

  /**
   * @param defaultStage names the stage if the context does not
   * @throws OperatorError if a value of the context is invalid
   */
  constructor(defaultStage: () => string, props?: AppProps) {
    super(props);
    Validations.of(this).addPlugins(new AwsSolutionsChecks(this));
    const config = stageConfig({
      stage: this.#context('stage') ?? defaultStage(),
      checkoutUrl: this.#context('checkoutUrl'),
      requestsPerSecond: this.#context('requestsPerSecond'),
      cartExpiryMinutes: this.#context('cartExpiryMinutes'),
      alarmEmail: this.#context('alarmEmail'),
      firewall: this.#context('firewall'),
    });
    this.stack = new CartCheckoutStack(this, stackNameOf(config.name), config, {
      description: 'Cart Checkout API',
    });
  }

  /** A value given with `-c name=value`. */
  #context(name: string): string | undefined {
    const value: unknown = this.node.tryGetContext(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }
}
