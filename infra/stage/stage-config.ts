import type { CartLifetime } from '../../lib/carts/cart.ts';
import { isBaseUrl } from '../../lib/core/base-url.ts';
import { DAY_MS } from '../../lib/core/durations.ts';
import { EVENT_DELETED_MS } from '../../lib/events/event-age.ts';
import { CART_EXPIRY_MINUTES } from '../../lib/settings/cart-expiry.ts';
import { OperatorError } from '../terminal/operator-error.ts';
import { type AccountRules, accountRulesOf } from './account-rules.ts';
import { RESERVED_CONCURRENCY } from './concurrency.ts';
import { type DeploymentOptions, deploymentOptionsOf } from './deployment-options.ts';
import { type DomainConfig, domainOf } from './domain-config.ts';
import { type FirewallConfig, firewallOf } from './firewall-config.ts';
import { type PaymentSenders, paymentSendersOf } from './payment-senders.ts';
import { MalformedValueError, trueOrFalse, wholeNumber } from './read-context-value.ts';
import type { StageContext } from './stage-context.ts';
import { PRODUCTION, stageNameOf } from './stage-name.ts';
import { stageTags } from './stage-tags.ts';
import { defaultBudgetUsd, type Throttle, throttleOf } from './throttle.ts';

/** The configuration of a stage. Constructs read its fields and never decide by the stage's name. */
export interface StageConfig {
  /** Lower-case letters, digits and hyphens, at most 24: safe in every AWS name. */
  readonly name: string;
  /** Whether the data outlives the stack. If not, deleting the stack deletes everything. */
  readonly retainsData: boolean;
  /**
   * Whether AWS rejects to delete the stack or its tables. The first deployment has no protection: CloudFormation could not roll
   * it back, and the next deployment could not replace it.
   */
  readonly isProtected: boolean;
  /** The address where the buyers of live carts pay. */
  readonly liveCheckoutUrl: string;
  /** The custom domain. Without it, the stage has the address that API Gateway generates. */
  readonly domain?: DomainConfig | undefined;
  /** The address of the documentation, which then has the page of errors. By default, the stage serves that page. */
  readonly docsUrl?: string | undefined;
  readonly cartLifetime: CartLifetime;
  /** How long a completed cart keeps its buyer's data, in days. */
  readonly personalDataDays: number;
  /** The gateway's limit of creations, and that of retrievals. `function-limits.ts` has the shares of other operations. */
  readonly throttle: Throttle;
  /** The e-mail address that alarms and the budget notify, if there is one. Others can subscribe to their topic. */
  readonly alarmEmail?: string | undefined;
  /** The firewall in front of the gateway, if there is one. */
  readonly firewall?: FirewallConfig | undefined;
  /** The executions that the functions reserve together, so that none can use up those of the account. 0 reserves none. */
  readonly reservedConcurrency: number;
  /** Whether the stage has live traffic. Alarms then watch its failures, and X-Ray traces one request in a hundred. */
  readonly expectsTraffic: boolean;
  /** The live requests of the quietest hour, if alarms report their absence. */
  readonly liveRequestsPerHour?: number | undefined;
  /** The dollars a day above which AWS Budgets notifies, if it watches the account. */
  readonly dailyBudgetUsd?: number | undefined;
  /** Whether the budget counts the whole account, or only what has the stage's tags. */
  readonly budgetScope: BudgetScope;
  /** The tags of every resource that takes tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** Whether a scheduled function creates and retrieves a test cart every minute. */
  readonly hasCanary: boolean;
  readonly hasDashboard: boolean;
  /** Whether the stage serves the payment page of test mode, which is public. */
  readonly hasSandbox: boolean;
  /** Whether webhooks may go to loopback addresses, over http too. Only an emulator of AWS needs this. */
  readonly allowsLoopbackWebhooks: boolean;
  readonly paymentSenders: PaymentSenders;
  readonly accountRules: AccountRules;
  readonly rollout: Rollout;
  readonly deployment: DeploymentOptions;
}

/**
 * The share of requests that X-Ray traces on a stage with traffic. Its default rule traces one a second, and one in twenty of the
 * others.
 */
export const TRACED_SHARE = 0.01;

/** How a new version of an API function gets its traffic: a tenth first, or all at once. */
type Rollout = 'in-steps' | 'all-at-once';

type BudgetScope = 'account' | 'stage';

/** The defaults of every stage, the local one included. */
export const CART_LIFETIME: CartLifetime = { expirySeconds: 24 * 3_600, retentionSeconds: 30 * 86_400 };

/** How long a completed cart keeps its buyer's data, in days: the default of every stage, the local one included. */
export const PERSONAL_DATA_DAYS = 730;

/** A placeholder for stages without a payment page. RFC 2606 reserves the name. */
export const PLACEHOLDER_CHECKOUT_URL = 'https://checkout.example.com';

/** More than the days of an event, which has the same data, to ten years (`docs/decisions.md`). */
const PERSONAL_DATA_DAYS_RANGE = { min: EVENT_DELETED_MS / DAY_MS + 1, max: 3_650 };

const DAILY_BUDGET_USD = { min: 1, max: 1_000_000 } as const;

/** With fewer, a day without a payment can be chance: `infra/stack/alarms/absence-alarms.ts`. */
const LIVE_REQUESTS_PER_HOUR = { min: 12, max: 100_000_000 } as const;

const checkoutUrlOf = ({ checkoutUrl }: StageContext, name: string, isProduction: boolean): string => {
  if (isProduction && checkoutUrl === undefined) {
    throw new OperatorError(
      `The stage ${name} takes real payments. Set the address of the payment page with -c checkoutUrl=https://...`,
    );
  }
  if (checkoutUrl !== undefined && !isBaseUrl(checkoutUrl)) {
    throw new MalformedValueError('checkoutUrl', 'an http(s) address without query or trailing slash');
  }
  if (isProduction && !/^https:/i.test(String(checkoutUrl))) {
    throw new OperatorError(`The checkoutUrl of ${name} must begin with https://, because buyers pay there.`);
  }
  return checkoutUrl ?? PLACEHOLDER_CHECKOUT_URL;
};

/** Nothing that a header would have to escape. AWS WAF allows 255 characters for the whole header. */
const DOCS_URL = /^[\w.~:%/-]{1,200}$/;

const docsUrlOf = ({ docsUrl }: StageContext): string | undefined => {
  if (docsUrl === undefined || (isBaseUrl(docsUrl) && DOCS_URL.test(docsUrl))) return docsUrl;
  throw new MalformedValueError(
    'docsUrl',
    'an http(s) address without query or trailing slash, with at most 200 characters',
  );
};

const cartLifetimeOf = (context: StageContext): CartLifetime => {
  const minutes = wholeNumber(context, 'cartExpiryMinutes', CART_EXPIRY_MINUTES);
  return { ...CART_LIFETIME, ...(minutes !== undefined && { expirySeconds: 60 * minutes }) };
};

/** The value of `alarmEmail` for a topic without an e-mail address. */
const NOBODY = 'none';

const alarmEmailOf = (
  { alarmEmail }: StageContext,
  name: string,
  isProduction: boolean,
): string | undefined => {
  if (isProduction && alarmEmail === undefined) {
    throw new OperatorError(
      `The stage ${name} needs somebody who receives its alarms. Set -c alarmEmail=ops@example.com, or -c alarmEmail=${NOBODY} and subscribe another receiver to the output AlarmTopicArn.`,
    );
  }
  if (alarmEmail === undefined || alarmEmail === NOBODY) return undefined;
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(alarmEmail)) return alarmEmail;
  throw new MalformedValueError('alarmEmail', `an e-mail address, or ${NOBODY}`);
};

const reservedConcurrencyOf = (context: StageContext, isProduction: boolean): number => {
  if (context.reservedConcurrency === '0') return 0;
  const given = wholeNumber(context, 'reservedConcurrency', RESERVED_CONCURRENCY, ', or 0 for none');
  return given ?? (isProduction ? RESERVED_CONCURRENCY.byDefault : 0);
};

const isProtected = (context: StageContext, name: string, isProduction: boolean): boolean => {
  const given = trueOrFalse(context, 'protected', isProduction);
  if (!given || isProduction) return given;
  throw new OperatorError(`The stage ${name} keeps no data: remove protected, which is for ${PRODUCTION}.`);
};

const allowsLoopbackWebhooks = (context: StageContext, name: string, isProduction: boolean): boolean => {
  const isAllowed = trueOrFalse(context, 'webhookLoopback', false);
  if (!isAllowed || !isProduction) return isAllowed;
  throw new OperatorError(
    `The stage ${name} must not send webhooks to loopback addresses: remove webhookLoopback, which is for emulators of AWS.`,
  );
};

const rolloutOf = ({ rollout }: StageContext, isProduction: boolean): Rollout => {
  if (rollout === undefined) return isProduction ? 'in-steps' : 'all-at-once';
  if (rollout === 'in-steps' || rollout === 'all-at-once') return rollout;
  throw new MalformedValueError('rollout', 'in-steps or all-at-once');
};

const budgetScopeOf = (
  { budgetScope = 'account' }: StageContext,
  dailyBudgetUsd: number | undefined,
): BudgetScope => {
  if (budgetScope === 'stage' && dailyBudgetUsd === undefined)
    throw new OperatorError('The budgetScope is of a budget: set -c dailyBudgetUsd too.');
  if (budgetScope === 'account' || budgetScope === 'stage') return budgetScope;
  throw new MalformedValueError('budgetScope', 'account or stage');
};

/**
 * The configuration of a stage.
 *
 * @param region the region of the deployment, if it is known
 * @throws OperatorError if the name looks like production and is not, if production lacks its checkout address or the
 *   receiver of its alarms, or if a value of the context is impossible
 */
export const stageConfig = (context: StageContext, region?: string): StageConfig => {
  const name = stageNameOf(context);
  const isProduction = name === PRODUCTION;
  const throttle = throttleOf(context, isProduction);
  const dailyBudgetUsd =
    wholeNumber(context, 'dailyBudgetUsd', DAILY_BUDGET_USD) ??
    (isProduction ? defaultBudgetUsd(throttle) : undefined);
  return {
    name,
    retainsData: isProduction,
    isProtected: isProtected(context, name, isProduction),
    liveCheckoutUrl: checkoutUrlOf(context, name, isProduction),
    domain: domainOf(context, isProduction, region),
    docsUrl: docsUrlOf(context),
    cartLifetime: cartLifetimeOf(context),
    personalDataDays:
      wholeNumber(context, 'personalDataDays', PERSONAL_DATA_DAYS_RANGE) ?? PERSONAL_DATA_DAYS,
    throttle,
    alarmEmail: alarmEmailOf(context, name, isProduction),
    firewall: firewallOf(context, isProduction),
    reservedConcurrency: reservedConcurrencyOf(context, isProduction),
    expectsTraffic: isProduction,
    liveRequestsPerHour: wholeNumber(context, 'liveRequestsPerHour', LIVE_REQUESTS_PER_HOUR),
    dailyBudgetUsd,
    budgetScope: budgetScopeOf(context, dailyBudgetUsd),
    tags: stageTags(context, name),
    hasCanary: trueOrFalse(context, 'canary', isProduction),
    hasDashboard: trueOrFalse(context, 'dashboard', isProduction),
    hasSandbox: trueOrFalse(context, 'sandbox', true),
    allowsLoopbackWebhooks: allowsLoopbackWebhooks(context, name, isProduction),
    paymentSenders: paymentSendersOf(context),
    accountRules: accountRulesOf(context),
    rollout: rolloutOf(context, isProduction),
    deployment: deploymentOptionsOf(context),
  };
};
