/** The stage to check. */
export interface Inputs {
  readonly baseUrl: string;
  /** A key in test mode. */
  readonly apiKey: string;
  /** The id of a fixed-price product that the key's store sells. */
  readonly productId: string;
  readonly freeProductId?: string;
  readonly unavailableProductId?: string;
  /** The id of a product that another store sells: the store of `otherApiKey`, if that is given. */
  readonly foreignProductId?: string;
  /** A key of another store. */
  readonly otherApiKey?: string;
  /** A key with a limit of a few requests per hour that nobody else uses; the suite exhausts it. */
  readonly smallLimitApiKey?: string;
  /** The address of a receiver that responds 2xx. The stage sends events to it. */
  readonly webhookUrl?: string;
  /** The time between a cart's creation and its expiry. */
  readonly cartExpiryMinutes: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    inputs?: Inputs;
  }
}

type OptionalInput =
  | 'freeProductId'
  | 'unavailableProductId'
  | 'foreignProductId'
  | 'otherApiKey'
  | 'smallLimitApiKey'
  | 'webhookUrl';

/** The variable of each optional input, and the checks that need it. */
const OPTIONAL_INPUTS: Readonly<Record<OptionalInput, { variable: string; checks: string }>> = {
  freeProductId: { variable: 'FREE_PRODUCT_ID', checks: 'prices that the buyer chooses' },
  unavailableProductId: {
    variable: 'UNAVAILABLE_PRODUCT_ID',
    checks: 'the rejection of an unavailable product',
  },
  foreignProductId: { variable: 'FOREIGN_PRODUCT_ID', checks: "the rejection of another store's product" },
  otherApiKey: { variable: 'OTHER_API_KEY', checks: 'the separation of stores' },
  smallLimitApiKey: {
    variable: 'SMALL_LIMIT_API_KEY',
    checks: 'the cost of a request, and 429',
  },
  webhookUrl: { variable: 'WEBHOOK_URL', checks: 'deliveries to a webhook endpoint' },
};

/** The products of the demo catalogue, and the default expiry. */
const DEFAULTS: Readonly<Record<string, string>> = {
  PRODUCT_ID: 'one-course',
  FREE_PRODUCT_ID: 'one-donation',
  UNAVAILABLE_PRODUCT_ID: 'one-retired',
  FOREIGN_PRODUCT_ID: 'two-poster',
  CART_EXPIRY_MINUTES: '1440',
};

/**
 * Reads the inputs from environment variables. An optional input is absent if its variable is empty, or has neither a
 * value nor a default.
 *
 * @throws Error with one sentence for the operator
 */
export const readInputs = (env: Readonly<Record<string, string | undefined>>): Inputs => {
  const valueOf = (variable: string): string => env[variable] ?? DEFAULTS[variable] ?? '';
  const required = (variable: string): string => {
    const value = valueOf(variable);
    if (value === '') throw new Error(`Set ${variable}, or neither BASE_URL nor API_KEY for a local stage.`);
    return value;
  };
  const optional = Object.entries(OPTIONAL_INPUTS)
    .map(([name, { variable }]) => [name, valueOf(variable)] as const)
    .filter(([, value]) => value !== '');
  return {
    baseUrl: required('BASE_URL').replace(/\/+$/, ''),
    apiKey: required('API_KEY'),
    productId: required('PRODUCT_ID'),
    cartExpiryMinutes: Number(required('CART_EXPIRY_MINUTES')),
    ...Object.fromEntries(optional),
  };
};

/** The checks that the suite skips because an input is absent. */
export const notChecked = (inputs: Inputs): string[] =>
  Object.entries(OPTIONAL_INPUTS).flatMap(([name, { variable, checks }]) =>
    inputs[name as OptionalInput] === undefined ? [`${checks} (${variable})`] : [],
  );

/** A list for tests that need an optional input: its value, or nothing. */
export const given = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);
