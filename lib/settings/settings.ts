import * as z from 'zod/mini';
import { isBaseUrl } from '../core/base-url.ts';
import { TABLE_KINDS, type TableKind } from '../database/tables.ts';
import { CART_EXPIRY_MINUTES } from './cart-expiry.ts';

const text = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));

const stageName = () => text(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 lower-case letters, digits or hyphens');

const tableName = () => text(/^[A-Za-z0-9_.-]{3,255}$/, 'must be a DynamoDB table name');

const eventBusName = () => text(/^[A-Za-z0-9_./-]{1,256}$/, 'must be the name of an event bus');

const queueUrl = () => text(/^https?:\/\/\S{1,512}$/, 'must be the address of a queue');

const sourceHashKey = () => text(/^[!-~]{32,128}$/, 'must be 32 to 128 printable ASCII characters');

const baseUrl = () =>
  z.string().check(z.refine(isBaseUrl, 'must be an http(s) address without query or trailing slash'));

// z.coerce would keep all its schemas in the bundle.
const wholeNumber = (min: number, max: number) => () =>
  z.pipe(
    z.transform(Number),
    z.number(`must be a whole number from ${min} to ${max}`).check(
      // It reports the message of `z.number`.
      z.multipleOf(1),
      z.minimum(min, `must be at least ${min}`),
      z.maximum(max, `must be at most ${max}`),
    ),
  );

/** The setting with the name of a table: `carts` has `cartsTable`. */
export type TableSetting = `${TableKind}Table`;

const TABLE_SETTINGS = Object.fromEntries(TABLE_KINDS.map((kind) => [`${kind}Table`, tableName])) as Readonly<
  Record<TableSetting, typeof tableName>
>;

/**
 * Every setting of the functions, with its schema. A function gets it in the environment variable of {@link variableOf}. A schema
 * is made on demand: making schemas is most of zod's cost at cold start.
 */
const SETTINGS = {
  stageName,
  ...TABLE_SETTINGS,
  liveCheckoutUrl: baseUrl,
  sandboxCheckoutUrl: baseUrl,
  cartExpirySeconds: wholeNumber(60 * CART_EXPIRY_MINUTES.min, 60 * CART_EXPIRY_MINUTES.max),
  // Decision: from one day, so that a late payment finds its cart, to ten years.
  cartRetentionSeconds: wholeNumber(86_400, 3_650 * 86_400),
  // Decision: longer than an event with the same data is stored, up to ten years.
  personalDataDays: wholeNumber(33, 3_650),
  sourceHashKey,
  errorsUrl: baseUrl,
  publicUrl: baseUrl,
  eventBusName,
  paymentsQueueUrl: queueUrl,
  deliveryQueueUrl: queueUrl,
  testDeliveryQueueUrl: queueUrl,
  slowDeliveryQueueUrl: queueUrl,
  slowTestDeliveryQueueUrl: queueUrl,
  eventDeadLetterQueueUrl: queueUrl,
  auditLogGroup: () => text(/^[\w./#-]{1,512}$/, 'must be the name of a log group'),
  webhookLoopback: () =>
    z.pipe(
      text(/^true$/, 'must be true, or missing'),
      z.transform(() => true),
    ),
} as const satisfies Readonly<Record<string, () => z.ZodMiniType>>;

/** The name of a setting: a key of the table of settings. */
export type Setting = keyof typeof SETTINGS;

/** The settings that a stage may lack. The local stage has no audit log. Only a stage on one machine lets webhooks go to loopback. */
const OPTIONAL = ['auditLogGroup', 'webhookLoopback'] as const satisfies readonly Setting[];

/** A setting that every stage has. */
export type RequiredSetting = Exclude<Setting, (typeof OPTIONAL)[number]>;

/** The values of settings, by name. */
export type SettingValues<Name extends Setting> = {
  readonly [K in Name]:
    | z.output<ReturnType<(typeof SETTINGS)[K]>>
    | (K extends RequiredSetting ? never : undefined);
};

/** The environment variable of a setting: `cartsTable` has `CARTS_TABLE`. */
export const variableOf = (setting: Setting): string => setting.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** The environment variables of settings. */
export const variablesOf = (settings: Readonly<Partial<Record<Setting, string>>>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [variableOf(name as Setting), value]));

/** The variable with the commit of a deployed function. A local stage has none. */
export const COMMIT_VARIABLE = 'COMMIT';

type Read = { readonly value: unknown } | { readonly issue: string };

/** The value of a setting, or why it is not usable. The issue never repeats the variable's value. */
const read = (name: Setting, source: NodeJS.ProcessEnv): Read => {
  const variable = variableOf(name);
  const raw = source[variable];
  if (raw === undefined || raw === '') {
    const isOptional = OPTIONAL.some((each) => each === name);
    return isOptional ? { value: undefined } : { issue: `${variable} is missing` };
  }
  const { data, error } = SETTINGS[name]().safeParse(raw);
  return error
    ? { issue: error.issues.map(({ message }) => `${variable} ${message}`).join(', ') }
    : { value: data };
};

/**
 * Reads settings from the environment. A function reads all of its settings once, at cold start.
 *
 * @param names `settingNamesOf` in `functions/function-needs.ts` has those of a function
 * @param source the environment. Default: that of the process
 * @throws Error that names each variable which is missing or malformed, but no value
 */
export const readSettings = <Name extends Setting>(
  names: readonly Name[],
  source: NodeJS.ProcessEnv = process.env,
): SettingValues<Name> => {
  const all = names.map((name) => [name, read(name, source)] as const);
  const issues = all.flatMap(([, each]) => ('issue' in each ? [each.issue] : []));
  if (issues.length > 0) throw new Error(`The environment is not usable: ${issues.join(', ')}.`);
  const values = all.map(([name, each]) => [name, 'value' in each ? each.value : undefined]);
  return Object.fromEntries(values) as SettingValues<Name>;
};

/**
 * A setting of a module that many functions share, read at its first use. Each function reads it at its start too, so that one
 * error names all variables that are not usable.
 */
export const lazySetting = <Name extends RequiredSetting>(name: Name): (() => SettingValues<Name>[Name]) => {
  let settings: SettingValues<Name> | undefined;
  return () => (settings ??= readSettings([name]))[name];
};
