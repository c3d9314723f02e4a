import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV_NAMES } from '../lib/env-names.ts';
import { ApiFunction } from './api-function.ts';
import { ApiGateway } from './api-gateway.ts';
import { Database } from './database.ts';
import type { StageConfig } from './stages.ts';

/** One stage of the service. */
export class CartCheckoutStack extends Stack {
  constructor(scope: Construct, id: string, config: StageConfig, props?: StackProps) {
    super(scope, id, { terminationProtection: config.isDurable, ...props });
    const { isDurable, liveCheckoutUrl, cartLifetime } = config;
    const database = new Database(this, 'Database', config);

    const getCart = new ApiFunction(this, 'GetCart', { functionName: 'get-cart', isDurable });
    database.grantTakeToken(getCart);
    database.grantFindCart(getCart);

    const createCartCheckout = new ApiFunction(this, 'CreateCartCheckout', {
      functionName: 'create-cart-checkout',
      isDurable,
    });
    database.grantTakeToken(createCartCheckout);
    database.grantFindProduct(createCartCheckout);
    database.grantCreateCart(createCartCheckout);
    // A retry with an idempotency key finds its cart even when the product is no longer sold.
    database.grantFindCart(createCartCheckout);

    const { api } = new ApiGateway(this, 'Gateway', {
      ...config,
      functions: { 'get-cart': getCart, 'create-cart-checkout': createCartCheckout },
    });
    // Spelled out, since the API's own `url` would make the function depend on what depends on it.
    const sandboxUrl = `https://${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}/${config.name}`;
    createCartCheckout
      .addEnvironment(ENV_NAMES.liveCheckoutUrl, liveCheckoutUrl)
      .addEnvironment(ENV_NAMES.sandboxCheckoutUrl, `${sandboxUrl}/sandbox/checkout`)
      .addEnvironment(ENV_NAMES.cartExpirySeconds, String(cartLifetime.expirySeconds))
      .addEnvironment(ENV_NAMES.cartRetentionSeconds, String(cartLifetime.retentionSeconds));

    new CfnOutput(this, 'BaseUrl', { value: api.url });
    new CfnOutput(this, 'ApiKeysTable', { value: database.apiKeys.tableName });
    new CfnOutput(this, 'ProductsTable', { value: database.products.tableName });
    new CfnOutput(this, 'CartsTable', { value: database.carts.tableName });
  }
}
