import { App } from 'aws-cdk-lib';
import { CartCheckoutStack } from './cart-checkout-stack.ts';

const app = new App();
new CartCheckoutStack(app, 'CartCheckout-local', { description: 'Cart Checkout API' });
