import { closestName } from './closest-name.ts';
import { OperatorError } from './operator-error.ts';

/** The CDK context values of a deployment, from `-c name=value`, with their meaning: `docs/operate.md`, "Context values". */
export const CONTEXT_VALUES = {
  stage: 'Only `prod` keeps its data when its stack is deleted',
  protected: 'AWS does not delete the stack or its tables. `false` for the first deployment of `prod`',
  checkoutUrl: 'The payment page for buyers of live carts. `prod` needs https',
  domain: 'The host name of the stage, in place of the address that API Gateway generates',
  certificateArn: 'The certificate of `domain`, in the region of the stage',
  hostedZoneId: 'The zone that gets the DNS record of `domain`. Without it, set the record yourself',
  defaultEndpoint: "Enables API Gateway's address. With a `domain`, the default of `prod` is false",
  docsUrl: "Your own documentation: errors then lead to `{docsUrl}/errors`, not to the stage's page",
  requestsPerSecond: 'The limit of creations of carts, and that of retrievals. Other operations accept fewer',
  cartExpiryMinutes: 'How long a cart waits for its payment',
  personalDataDays: "How long a completed cart keeps its buyer's data",
  alarmEmail: 'Receives the alarms and the budget. AWS sends one e-mail to confirm the address',
  firewall: 'A web application firewall in front of the gateway',
  firewallAllow: 'Networks without a limit of requests per address',
  dailyBudgetUsd: 'Dollars a day, above which AWS Budgets notifies the receivers of the alarms',
  budgetScope: 'The costs of the budget: of the whole account, or of what has the tags of the stage',
  tags: 'Further tags of every resource. Each has `service` and `stage`',
  liveRequestsPerHour: 'The live requests of the quietest hour. Adds the alarms on their absence',
  reservedConcurrency: 'The executions that all functions reserve together',
  canary: 'A function that creates and retrieves a test cart every minute',
  dashboard: 'A CloudWatch dashboard, for $3.00 a month',
  sandbox: 'The payment page of test carts, with its function, role and routes',
  webhookLoopback: 'Lets webhooks go to loopback addresses, for an emulator of AWS. `prod` rejects it',
  paymentSource: 'The `source` of payment events. The bus ignores every other one',
  paymentRoleArn: 'The role of the payment side: it alone may read carts to charge, and send payments',
  operatorRoleArn: 'A role that may send payment events too. Needs `paymentRoleArn`',
  permissionsBoundary: 'The policy that bounds the permissions of every role of the stage',
  qualifier: 'The qualifier of the bootstrap whose roles and bucket deploy the stage',
  rollout: '`canary` shifts the traffic to new versions in steps',
} as const satisfies Readonly<Record<string, string>>;

export type ContextName = keyof typeof CONTEXT_VALUES;

export const CONTEXT_NAMES = Object.keys(CONTEXT_VALUES) as ContextName[];

/** The context of a deployment. A value that is not set is undefined. */
export type StageContext = { readonly stage: string } & {
  readonly [name in ContextName]?: string | undefined;
};

/** The CDK's own names, of which all others contain a colon or a slash, such as `aws:cdk:bundling-stacks`. */
const CDK_NAMES = new Set(['acknowledged-issue-numbers', 'cli-telemetry']);

/** Names of the CDK for which a stage has its own. With `-c`, the CDK ignores a permissions boundary, which is no text there. */
const REPLACED_NAMES: Readonly<Record<string, ContextName>> = {
  '@aws-cdk/core:permissionsBoundary': 'permissionsBoundary',
  '@aws-cdk/core:bootstrapQualifier': 'qualifier',
};

const isName = (name: string): boolean =>
  /[:/]/.test(name) || CDK_NAMES.has(name) || CONTEXT_NAMES.some((known) => known === name);

const rejectUnknown = (names: readonly string[]): void => {
  const replaced = names.find((name) => Object.hasOwn(REPLACED_NAMES, name));
  if (replaced !== undefined)
    throw new OperatorError(`Pass -c ${REPLACED_NAMES[replaced]}=... in place of ${replaced}.`);
  const unknown = names.find((name) => !isName(name));
  if (unknown === undefined) return;
  const closest = closestName(unknown, CONTEXT_NAMES);
  const remedy =
    closest === undefined ? `Use one of ${CONTEXT_NAMES.join(', ')}.` : `Did you mean ${closest}?`;
  throw new OperatorError(`There is no context value ${JSON.stringify(unknown)}. ${remedy}`);
};

/** A value of `-c` is text. In `cdk.json`, it can be a number or a boolean. */
const textOf = (value: unknown = ''): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Reads the context of a deployment. An empty value counts as not set.
 *
 * @param values all values of the CDK app, its own included
 * @param defaultStage names the stage if the context does not
 * @throws OperatorError if a name is unknown
 */
export const readStageContext = (
  values: Readonly<Record<string, unknown>>,
  defaultStage: () => string,
): StageContext => {
  rejectUnknown(Object.keys(values));
  const given = CONTEXT_NAMES.map((name) => [name, textOf(values[name])] as const);
  const { stage, ...others } = Object.fromEntries(given.filter(([, value]) => value !== ''));
  return { ...others, stage: stage ?? defaultStage() };
};

/** The name of a workflow's variable: `CHECKOUT_URL` is `checkoutUrl`. */
const variableOf = (name: string): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/**
 * The flags `-c name=value` for the variables of a workflow's environment.
 *
 * @param json all variables by their names, and others. The stage is no variable: each workflow names its own.
 */
export const contextFlags = (json: string): string[] => {
  const variables = JSON.parse(json) as Readonly<Record<string, string>>;
  return CONTEXT_NAMES.filter((name) => name !== 'stage').flatMap((name) => {
    const value = variables[variableOf(name)];
    return value === undefined ? [] : ['-c', `${name}=${value}`];
  });
};
