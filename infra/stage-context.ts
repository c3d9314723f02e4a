import { closestName } from './closest-name.ts';
import { OperatorError } from './operator-error.ts';

/** The CDK context values of a deployment, from `-c name=value`: `docs/operate.md`, "Context values". */
export const CONTEXT_NAMES = [
  'stage',
  'checkoutUrl',
  'docsUrl',
  'requestsPerSecond',
  'cartExpiryMinutes',
  'personalDataDays',
  'alarmEmail',
  'firewall',
  'firewallAllow',
  'dailyBudgetUsd',
  'liveRequestsPerHour',
  'reservedConcurrency',
  'canary',
  'dashboard',
  'sandbox',
  'webhookLoopback',
  'paymentSource',
  'paymentRoleArn',
  'operatorRoleArn',
  'rollout',
] as const;

type ContextName = (typeof CONTEXT_NAMES)[number];

/** The context of a deployment. A value that is not set is undefined. */
export type StageContext = { readonly stage: string } & {
  readonly [name in ContextName]?: string | undefined;
};

/** The CDK's own names, of which all others contain a colon or a slash, such as `aws:cdk:bundling-stacks`. */
const CDK_NAMES = new Set(['acknowledged-issue-numbers', 'cli-telemetry']);

const isName = (name: string): boolean =>
  /[:/]/.test(name) || CDK_NAMES.has(name) || CONTEXT_NAMES.some((known) => known === name);

const rejectUnknown = (names: readonly string[]): void => {
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
