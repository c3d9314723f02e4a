import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV_NAMES } from '../../lib/env-names.ts';
import { Alarms } from './alarms.ts';
import { ApiGateway } from './api-gateway.ts';
import { addDashboard } from './dashboard.ts';
import { Database } from './database.ts';
import { acknowledgeNoFirewall, addFirewall } from './firewall.ts';
import { Payments } from './payments.ts';
import { ServiceFunction } from './service-function.ts';
import type { StageConfig } from '../stages.ts';
import { StatusEvents } from './status-events.ts';

/** One stage of the service. */
export class CartCheckoutStack extends Stack {
  constructor(scope: Construct, id: string, config: StageConfig, props?: StackProps) {
    super(scope, id, { terminationProtection: config.retainsData, ...props });
    const database = new Database(this, 'Database', config);
    const getCart = this.#getCart(database, config);
    const createCartCheckout = this.#createCartCheckout(database, config);
    const recordPayment = this.#recordPayment('RecordPayment', 'record-payment', database, config);
    // What a buyer does on the page is recorded as a payment event is.
    const sandboxCheckout = this.#recordPayment('SandboxCheckout', 'sandbox-checkout', database, config);

    const { api } = new ApiGateway(this, 'Gateway', {
      ...config,
      functions: {
        'get-cart': getCart,
        'create-cart-checkout': createCartCheckout,
        'sandbox-checkout': sandboxCheckout,
      },
    });
    // Spelled out, since the API's own `url` would make the function depend on what depends on it.
    const sandboxUrl = `https://${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}/${config.name}`;
    createCartCheckout.addEnvironment(ENV_NAMES.sandboxCheckoutUrl, `${sandboxUrl}/sandbox/checkout`);
    if (config.hasFirewall) addFirewall(this, api);
    else acknowledgeNoFirewall(api);

    const payments = new Payments(this, 'Payments', { ...config, recordPayment });
    const statusEvents = new StatusEvents(this, 'StatusEvents', {
      carts: database.carts,
      eventBus: payments.eventBus,
    });

    const watched = {
      api,
      database,
      payments,
      statusEvents,
      functions: { getCart, createCartCheckout, recordPayment, sandboxCheckout },
    };
    const alarms = new Alarms(this, 'Alarms', { ...config, ...watched });
    const dashboard = addDashboard(this, { ...config, ...watched, alarms });

    this.#output(database, payments, {
      BaseUrl: api.url,
      AlarmTopicArn: alarms.topic.topicArn,
      DashboardName: dashboard.dashboardName,
      CartExpiryMinutes: String(config.cartLifetime.expirySeconds / 60),
    });
  }

  #getCart(database: Database, config: StageConfig): ServiceFunction {
    const getCart = new ServiceFunction(this, 'GetCart', { functionName: 'get-cart', ...config });
    database.grantTakeToken(getCart);
    database.grantFindCart(getCart);
    return getCart;
  }

  #createCartCheckout(database: Database, config: StageConfig): ServiceFunction {
    const { liveCheckoutUrl, cartLifetime } = config;
    const createCartCheckout = new ServiceFunction(this, 'CreateCartCheckout', {
      functionName: 'create-cart-checkout',
      ...config,
    });
    database.grantTakeToken(createCartCheckout);
    database.grantFindProduct(createCartCheckout);
    database.grantCreateCart(createCartCheckout);
    // A retry with an idempotency key finds its cart even when the product is no longer sold.
    database.grantFindCart(createCartCheckout);
    createCartCheckout
      .addEnvironment(ENV_NAMES.liveCheckoutUrl, liveCheckoutUrl)
      .addEnvironment(ENV_NAMES.cartExpirySeconds, String(cartLifetime.expirySeconds))
      .addEnvironment(ENV_NAMES.cartRetentionSeconds, String(cartLifetime.retentionSeconds));
    return createCartCheckout;
  }

  #recordPayment(id: string, functionName: string, database: Database, config: StageConfig): ServiceFunction {
    const recordPayment = new ServiceFunction(this, id, { functionName, ...config });
    database.grantRecordPayment(recordPayment);
    return recordPayment;
  }

  /** What an operator needs to find; `operate --stage` reads the same. */
  #output(database: Database, payments: Payments, further: Readonly<Record<string, string>>): void {
    const values = {
      ...further,
      ApiKeysTable: database.apiKeys.tableName,
      ProductsTable: database.products.tableName,
      CartsTable: database.carts.tableName,
      EventBusName: payments.eventBus.eventBusName,
      PaymentsQueueUrl: payments.queue.queueUrl,
      DeadLetterQueueUrl: payments.deadLetters.queueUrl,
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(this, name, { value });
  }
}
