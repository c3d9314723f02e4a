import type { DeploymentOptions } from './deployment-options.ts';
import type { StageConfig } from './stage-config.ts';
import { CONTEXT_NAMES, type ContextName, DEPLOYMENT_NAMES, type StageContext } from './stage-context.ts';
import { furtherTags } from './stage-tags.ts';

/** A value of a stage. The others are about one deployment. */
export type ValueName = Exclude<ContextName, (typeof DEPLOYMENT_NAMES)[number]>;

export const VALUE_NAMES = CONTEXT_NAMES.filter(
  (name): name is ValueName => !(DEPLOYMENT_NAMES as readonly string[]).includes(name),
);

/** How a value that is not set is shown. */
const NONE = 'none';

const list = (texts: readonly string[] | undefined): string | undefined =>
  texts === undefined || texts.length === 0 ? undefined : texts.join(',');

/** Each value as the stage has it, whether it is given or a default. */
const EFFECTIVE: Readonly<Record<ValueName, (config: StageConfig) => string | number | boolean | undefined>> =
  {
    protected: (config) => config.isProtected,
    checkoutUrl: ({ liveCheckoutUrl }) => liveCheckoutUrl,
    domain: ({ domain }) => domain?.name,
    certificateArn: ({ domain }) => domain?.certificateArn,
    hostedZoneId: ({ domain }) => domain?.hostedZoneId,
    defaultEndpoint: ({ domain }) => domain?.hasDefaultEndpoint ?? true,
    docsUrl: ({ docsUrl }) => docsUrl,
    requestsPerSecond: ({ throttle }) => throttle.requestsPerSecond,
    cartExpiryMinutes: ({ cartLifetime }) => cartLifetime.expirySeconds / 60,
    personalDataDays: ({ personalDataDays }) => personalDataDays,
    alarmEmail: ({ alarmEmail }) => alarmEmail,
    firewall: ({ firewall }) => firewall !== undefined,
    firewallAllow: ({ firewall }) => list(firewall?.allowedNetworks),
    dailyBudgetUsd: ({ dailyBudgetUsd }) => dailyBudgetUsd,
    budgetScope: ({ budgetScope }) => budgetScope,
    tags: ({ tags }) => list(furtherTags(tags).map((tag) => tag.join('='))),
    liveRequestsPerHour: ({ liveRequestsPerHour }) => liveRequestsPerHour,
    reservedConcurrency: ({ reservedConcurrency }) => reservedConcurrency,
    canary: ({ hasCanary }) => hasCanary,
    dashboard: ({ hasDashboard }) => hasDashboard,
    sandbox: ({ hasSandbox }) => hasSandbox,
    webhookLoopback: ({ allowsLoopbackWebhooks }) => allowsLoopbackWebhooks,
    paymentSource: ({ paymentSenders }) => paymentSenders.source,
    paymentRoleArn: ({ paymentSenders }) => paymentSenders.roleArn,
    operatorRoleArn: ({ paymentSenders }) => paymentSenders.operatorRoleArn,
    permissionsBoundary: ({ accountRules }) => accountRules.permissionsBoundary,
    qualifier: ({ accountRules }) => accountRules.qualifier,
    rollout: ({ rollout }) => rollout,
  };

/** A value of a stage as text. `none` if it is not set. */
export const effectiveValue = (config: StageConfig, name: ValueName): string =>
  String(EFFECTIVE[name](config) ?? NONE);

/** The values of a stage by their names: the output `StageValues` of its stack. */
export interface StageValues extends DeploymentOptions {
  /** The values that the context of the deployment states. */
  readonly given: Readonly<Record<string, string>>;
  /** The defaults of the release, for all other values. */
  readonly default: Readonly<Record<string, string>>;
  /** Whether the stage keeps its data. Only then does the check of a deployment reject a loss. */
  readonly keepsData: boolean;
}

/** All values of a stage. `.github/actions/keep-values` compares them with those of the deployed stack. */
export const stageValues = (context: StageContext, config: StageConfig): StageValues => {
  const valuesOf = (isGiven: boolean) =>
    Object.fromEntries(
      VALUE_NAMES.filter((name) => (context[name] !== undefined) === isGiven).map((name) => [
        name,
        effectiveValue(config, name),
      ]),
    );
  const { retainsData: keepsData, deployment } = config;
  return { given: valuesOf(true), default: valuesOf(false), keepsData, ...deployment };
};
