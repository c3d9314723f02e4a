import { closestName } from '../terminal/closest-name.ts';
import { OperatorError } from '../terminal/operator-error.ts';
import type { StoredValues } from './stage-file.ts';

/**
 * The values of a deployment, from the file of the stage and from `-c name=value`, with their meaning: `docs/operate.md`,
 * "Context values".
 */
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
  rollout: '`in-steps` shifts the traffic to new versions in steps',
  drop: 'A value of the stage that this deployment may lose. In the file, a list of them',
  rollback: 'Ignores values in the file that an earlier commit does not know. Only with `-c`',
} as const satisfies Readonly<Record<string, string>>;

export type ContextName = keyof typeof CONTEXT_VALUES;

export const CONTEXT_NAMES = Object.keys(CONTEXT_VALUES) as ContextName[];

/** These are about one deployment. Every other name is of a value that the stage keeps. */
export const DEPLOYMENT_NAMES = ['stage', 'drop', 'rollback'] as const satisfies readonly ContextName[];

/** The names that a file cannot have. */
const FLAG_NAMES = new Set(['stage', 'rollback']);

/** The context of a deployment. A value that is not set is undefined. */
export type StageContext = { readonly stage: string } & {
  readonly [name in ContextName]?: string | undefined;
};

/** The CDK's own names, of which all others contain a colon or a slash, such as `aws:cdk:bundling-stacks`. */
const CDK_NAMES = new Set(['acknowledged-issue-numbers', 'cli-telemetry']);

/** Names of the CDK for which a stage has its own. The CDK's permissions boundary is an object, so it ignores a text given with `-c`. */
const REPLACED_NAMES: Readonly<Record<string, ContextName>> = {
  '@aws-cdk/core:permissionsBoundary': 'permissionsBoundary',
  '@aws-cdk/core:bootstrapQualifier': 'qualifier',
};

const isName = (name: string): boolean => CONTEXT_NAMES.some((known) => known === name);

const isCdkName = (name: string): boolean => /[:/]/.test(name) || CDK_NAMES.has(name);

const rejectReplaced = (names: readonly string[]): void => {
  const replaced = names.find((name) => Object.hasOwn(REPLACED_NAMES, name));
  if (replaced === undefined) return;
  throw new OperatorError(`Pass -c ${REPLACED_NAMES[replaced]}=... in place of ${replaced}.`);
};

/** @param place where the name is, such as ` in stages/prod.json` */
const rejectUnknown = (unknown: string | undefined, place = ''): void => {
  if (unknown === undefined) return;
  const closest = closestName(unknown, CONTEXT_NAMES);
  const remedy =
    closest === undefined ? `Use one of ${CONTEXT_NAMES.join(', ')}.` : `Did you mean ${closest}?`;
  throw new OperatorError(`There is no context value ${JSON.stringify(unknown)}${place}. ${remedy}`);
};

/** A value of `-c` is text. In a file, it can be a number, a boolean or a list, and `null` if it is not set. */
const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const textsOf = (values: StoredValues): Partial<Record<ContextName, string>> => {
  const given = CONTEXT_NAMES.map((name) => [name, textOf(values[name])] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
};

/**
 * Reads the context of a deployment: the file of the stage, and the values of the command line in place of those of the file.
 * An empty value counts as not set.
 *
 * @param values all values of the CDK app, its own included
 * @param defaultStage names the stage if the context does not
 * @param readFile reads the file of a stage by its text
 * @throws OperatorError if a name is unknown. A roll-back ignores those of the file: it has an earlier commit
 */
export const readStageContext = (
  values: StoredValues,
  defaultStage: () => string,
  readFile: (stage: string) => StoredValues,
): StageContext => {
  rejectReplaced(Object.keys(values));
  rejectUnknown(Object.keys(values).find((name) => !isName(name) && !isCdkName(name)));
  const given = textsOf(values);
  const { stage = defaultStage() } = given;
  const stored = readFile(stage);
  const names = Object.keys(stored);
  const flag = names.find((name) => FLAG_NAMES.has(name));
  if (flag !== undefined)
    throw new OperatorError(`Pass ${flag} with -c: the file of the stage cannot have it.`);
  if (given.rollback !== 'true')
    rejectUnknown(
      names.find((name) => !isName(name)),
      ' in the file of the stage',
    );
  return { ...textsOf(stored), ...given, stage };
};
