import * as z from 'zod/mini';
import { isBaseUrl } from '../core/base-url.ts';
import { CART_EXPIRY_MINUTES } from './cart-expiry.ts';
import { ENV_NAMES } from './env-names.ts';

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

/** The schema of each variable, made on demand: making schemas is most of zod's cost at cold start. */
const VARIABLES = {
  stageName,
  apiKeysTable: tableName,
  productsTable: tableName,
  cartsTable: tableName,
  testCartsTable: tableName,
  secretsTable: tableName,
  storesTable: tableName,
  eventsTable: tableName,
  webhookEndpointsTable: tableName,
  deliveriesTable: tableName,
  erasuresTable: tableName,
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
  setAsideQueueUrl: queueUrl,
  auditLogGroup: () => text(/^[\w./#-]{1,512}$/, 'must be the name of a log group'),
  webhookLoopback: () => text(/^true$/, 'must be true, or missing'),
} as const satisfies Record<keyof typeof ENV_NAMES, () => z.ZodMiniType>;

type Variable = keyof typeof VARIABLES;
type Values<Name extends Variable> = { readonly [K in Name]: z.output<ReturnType<(typeof VARIABLES)[K]>> };

/**
 * Reads and validates the variables that a function needs, once at cold start.
 *
 * @param names keys of {@link ENV_NAMES}
 * @param source the environment, `process.env` in Lambda
 * @throws Error whose message names every missing or malformed variable, but no value
 */
export const readEnv = <Name extends Variable>(
  names: readonly Name[],
  source: NodeJS.ProcessEnv,
): Values<Name> => {
  const values: Partial<Record<Variable, unknown>> = {};
  const issues: string[] = [];
  for (const name of names) {
    const raw = source[ENV_NAMES[name]];
    if (raw === undefined || raw === '') {
      issues.push(`${ENV_NAMES[name]} is missing`);
      continue;
    }
    const parsed = VARIABLES[name]().safeParse(raw);
    if (parsed.success) values[name] = parsed.data;
    else issues.push(...parsed.error.issues.map(({ message }) => `${ENV_NAMES[name]} ${message}`));
  }
  if (issues.length > 0) throw new Error(`The environment is not usable: ${issues.join(', ')}.`);
  return values as Values<Name>;
};
