import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type FunctionName, HTTP_FUNCTION_NAMES } from '../../functions/function-needs.ts';
import { TABLE_KINDS } from '../../lib/database/tables.ts';
import { COMMIT_VARIABLE } from '../../lib/settings/settings.ts';
import { queueOutputs } from '../stage/queues.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import { tableOutputOf } from '../stage/tables.ts';
import { keyLimitsMax } from '../stage/throttle.ts';
import { Alarms } from './alarms/alarms.ts';
import { addAuditLogs } from './audit-logs.ts';
import { addDailyBudget } from './budget.ts';
import { addCanary } from './canary.ts';
import { connectFunctions } from './connect-functions.ts';
import { addDashboard, type DashboardProps } from './dashboard.ts';
import { Database } from './database/database.ts';
import { addDeploymentRecord, type DeploymentRecord } from './deployment-record.ts';
import { addEventPaths, type EventPaths } from './events/event-paths.ts';
import { addFunction, type ServiceFunction } from './functions/service-function.ts';
import { ApiGateway } from './gateway/api-gateway.ts';
import { addCustomDomain, notifyOfExpiry } from './gateway/custom-domain.ts';
import { acknowledgeNoFirewall, addFirewall } from './gateway/firewall.ts';
import { sampleTraces } from './gateway/trace-sampling.ts';
import { addProtection } from './protection.ts';
import { ALIAS_NAME, TenPercentRollout } from './rollout.ts';

/** One stage of the service. */
export class CartCheckoutStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    config: StageConfig,
    record: DeploymentRecord,
    props?: StackProps,
  ) {
    const { isProtected: terminationProtection, tags } = config;
    super(scope, id, { terminationProtection, tags, ...props });
    for (const [key, value] of Object.entries(tags)) Tags.of(this).add(key, value);
    if (config.retainsData) addProtection(this, config);
    const database = new Database(this, 'Database', config);
    const httpFunctions = this.#httpFunctions(database, config, addDeploymentRecord(this, record));

    const { api, publicUrl, errorsUrl } = new ApiGateway(this, 'Gateway', {
      ...config,
      functions: new Map(httpFunctions.map(({ name, alias }) => [name, alias as IFunction])),
    });
    if (config.domain) addCustomDomain(this, api, config.domain);
    if (config.firewall) addFirewall(this, api, { ...config.firewall, ...config.throttle, errorsUrl });
    else acknowledgeNoFirewall(api);
    if (config.expectsTraffic) sampleTraces(this, api, config.name);

    const auditLogs = addAuditLogs(this, config);
    const paths = addEventPaths(this, config, database);
    const canary = config.hasCanary ? addCanary(this, config, database) : undefined;
    // The alarms and the dashboard watch the canary apart from these.
    const functions = new Map<FunctionName, ServiceFunction>([
      ...httpFunctions.map(({ name, lambda }) => [name, lambda] as const),
      ...paths.functions,
    ]);
    const withCanary = new Map([...functions, ...(canary ? [['canary', canary] as const] : [])]);
    connectFunctions(this, config, withCanary, { ...paths, publicUrl, errorsUrl, auditLogs });
    if (config.rollout === 'in-steps') new TenPercentRollout(this, 'Rollout', config.name, httpFunctions);
    this.#watch(config, { ...paths, api, database, canary, functions });
    this.#output(database, paths, {
      BaseUrl: `${publicUrl}/`,
      ApiId: api.restApiId,
      PaymentSource: config.paymentSenders.source,
      ...(canary && { HasCanary: 'true' }),
      ...(config.allowsLoopbackWebhooks && { WebhookLoopback: 'true' }),
      ...this.#limits(config),
    });
  }

  #watch(config: StageConfig, resources: Omit<DashboardProps, 'name' | 'expectsTraffic' | 'alarms'>): void {
    const watched = { ...config, ...resources };
    const alarms = new Alarms(this, 'Alarms', watched);
    if (config.hasDashboard) {
      const { dashboardName } = addDashboard(this, { ...watched, alarms });
      new CfnOutput(this, 'DashboardName', { value: dashboardName });
    }
    addDailyBudget(this, config, alarms.topic);
    if (config.domain) notifyOfExpiry(this, config.domain, alarms.topic);
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
  }

  #limits({ cartLifetime, personalDataDays, throttle }: StageConfig): Record<string, string> {
    const max = keyLimitsMax(throttle);
    return {
      CartExpiryMinutes: String(cartLifetime.expirySeconds / 60),
      PersonalDataDays: String(personalDataDays),
      KeyRequestsPerSecondMax: String(max.requestsPerSecond),
      KeyRequestsAtOnceMax: String(max.requestsAtOnce),
    };
  }

  /** Adds the functions behind the gateway, without the sandbox if the stage has none. */
  #httpFunctions(database: Database, config: StageConfig, commit: string) {
    return HTTP_FUNCTION_NAMES.filter((name) => config.hasSandbox || name !== 'sandbox-checkout').map(
      (name) => {
        const lambda = addFunction(this, name, config, database);
        lambda.addEnvironment(COMMIT_VARIABLE, commit);
        return { name, lambda, alias: lambda.addAlias(ALIAS_NAME) };
      },
    );
  }

  /** Writes the outputs by which `operate --stage` finds the stage. */
  #output(
    database: Database,
    { eventBus, queues }: EventPaths,
    further: Readonly<Record<string, string>>,
  ): void {
    const values = {
      ...further,
      ...Object.fromEntries(
        TABLE_KINDS.map((kind) => [tableOutputOf(kind), database.tables[kind].tableName]),
      ),
      EventBusName: eventBus.eventBusName,
      ...queueOutputs((name) => queues[name].queueUrl),
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(this, name, { value });
  }
}
