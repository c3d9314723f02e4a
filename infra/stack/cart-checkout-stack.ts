import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import {
  EVENT_FUNCTIONS,
  HTTP_FUNCTIONS,
  SANDBOX_CHECKOUT_PATH,
  type Setting,
} from '../../functions/operations.ts';
import { ENV_NAMES } from '../../lib/env-names.ts';
import type { StageConfig } from '../stages.ts';
import { Alarms } from './alarms.ts';
import { ApiGateway } from './api-gateway.ts';
import { addDashboard } from './dashboard.ts';
import { Database } from './database.ts';
import { acknowledgeNoFirewall, addFirewall } from './firewall.ts';
import { Payments } from './payments.ts';
import { ServiceFunction } from './service-function.ts';
import { StatusEvents } from './status-events.ts';

/** One stage of the service. */
export class CartCheckoutStack extends Stack {
  constructor(scope: Construct, id: string, config: StageConfig, props?: StackProps) {
    super(scope, id, { terminationProtection: config.retainsData, ...props });
    const database = new Database(this, 'Database', config);
    const httpFunctions = this.#httpFunctions(database, config);
    const recordPayment = new ServiceFunction(this, 'record-payment', config);
    database.grant(recordPayment, EVENT_FUNCTIONS['record-payment'].access);

    const { api } = new ApiGateway(this, 'Gateway', {
      ...config,
      functions: new Map(httpFunctions.map(({ name, lambda }) => [name, lambda])),
    });
    const settings = this.#settings(config, api.restApiId);
    for (const { lambda, settings: names } of httpFunctions) {
      for (const name of names) lambda.addEnvironment(ENV_NAMES[name], settings[name]);
    }
    if (config.hasFirewall) addFirewall(this, api);
    else acknowledgeNoFirewall(api);

    const payments = new Payments(this, 'Payments', { ...config, recordPayment });
    const statusEvents = new StatusEvents(this, 'StatusEvents', {
      carts: database.carts,
      testCarts: database.testCarts,
      eventBus: payments.eventBus,
    });

    const watched = {
      ...config,
      api,
      database,
      payments,
      statusEvents,
      functions: [...httpFunctions.map(({ lambda }) => lambda), recordPayment],
      apiFunctions: httpFunctions
        .filter(({ callers }) => callers.includes('merchant'))
        .map(({ lambda }) => lambda),
    };
    const alarms = new Alarms(this, 'Alarms', watched);
    const dashboard = addDashboard(this, { ...watched, alarms });

    this.#output(database, payments, {
      BaseUrl: api.url,
      AlarmTopicArn: alarms.topic.topicArn,
      DashboardName: dashboard.dashboardName,
      CartExpiryMinutes: String(config.cartLifetime.expirySeconds / 60),
    });
  }

  /** Adds the functions behind the gateway, without the sandbox if the stage has none. */
  #httpFunctions(database: Database, config: StageConfig) {
    return HTTP_FUNCTIONS.filter(({ name }) => config.hasSandbox || name !== 'sandbox-checkout').map(
      ({ name, access, ...needs }) => {
        const lambda = new ServiceFunction(this, name, config);
        database.grant(lambda, access);
        return { ...needs, name, lambda };
      },
    );
  }

  #settings({ name, liveCheckoutUrl, cartLifetime }: StageConfig, apiId: string): Record<Setting, string> {
    // Not `api.url`: it depends on the deployment, which depends on the functions that read this value.
    const stageUrl = `https://${apiId}.execute-api.${this.region}.${this.urlSuffix}/${name}`;
    return {
      liveCheckoutUrl,
      sandboxCheckoutUrl: `${stageUrl}${SANDBOX_CHECKOUT_PATH}`,
      cartExpirySeconds: String(cartLifetime.expirySeconds),
      cartRetentionSeconds: String(cartLifetime.retentionSeconds),
    };
  }

  /** Writes the outputs by which `operate --stage` finds the stage. */
  #output(database: Database, payments: Payments, further: Readonly<Record<string, string>>): void {
    const values = {
      ...further,
      ApiKeysTable: database.apiKeys.tableName,
      ProductsTable: database.products.tableName,
      CartsTable: database.carts.tableName,
      TestCartsTable: database.testCarts.tableName,
      EventBusName: payments.eventBus.eventBusName,
      PaymentsQueueUrl: payments.queue.queueUrl,
      DeadLetterQueueUrl: payments.deadLetters.queueUrl,
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(this, name, { value });
  }
}
