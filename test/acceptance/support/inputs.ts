/** What the suite is told about the stage that it checks. */
export interface Inputs {
  readonly baseUrl: string;
  /** A key in test mode. */
  readonly apiKey: string;
  /** A fixed-price product that the key's store sells. */
  readonly productId: string;
  readonly freeProductId?: string;
  readonly unavailableProductId?: string;
  /** A product that another store sells: that of `otherApiKey`, if there is one. */
  readonly foreignProductId?: string;
  /** A key of another store. */
  readonly otherApiKey?: string;
  /** A key of a few requests an hour, or so, which nobody else uses; the suite exhausts it. */
  readonly smallLimitApiKey?: string;
  /** How long a cart waits for its payment. */
  readonly cartExpiryMinutes: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    inputs: Inputs;
  }
}

type OptionalInput =
  'freeProductId' | 'unavailableProductId' | 'foreignProductId' | 'otherApiKey' | 'smallLimitApiKey';

/** By which variable each optional input is told, and what goes unchecked without it. */
const OPTIONAL_INPUTS: Readonly<Record<OptionalInput, { variable: string; checks: string }>> = {
  freeProductId: { variable: 'FREE_PRODUCT_ID', checks: 'the price that a buyer chooses' },
  unavailableProductId: {
    variable: 'UNAVAILABLE_PRODUCT_ID',
    checks: 'the refusal of an unavailable product',
  },
  foreignProductId: { variable: 'FOREIGN_PRODUCT_ID', checks: "the refusal of another store's product" },
  otherApiKey: { variable: 'OTHER_API_KEY', checks: 'that stores do not see each other' },
  smallLimitApiKey: {
    variable: 'SMALL_LIMIT_API_KEY',
    checks: 'what a request costs, and 429',
  },
};

/** The demo catalogue's, which is where a stage without products of its own begins. */
const DEFAULTS: Readonly<Record<string, string>> = {
  PRODUCT_ID: 'one-course',
  FREE_PRODUCT_ID: 'one-donation',
  UNAVAILABLE_PRODUCT_ID: 'one-retired',
  FOREIGN_PRODUCT_ID: 'two-poster',
  CART_EXPIRY_MINUTES: '1440',
};

/**
 * Reads the inputs from variables. An optional one that is set to nothing is not there; nor is one that is not set
 * and has no default.
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

/** What the suite does not check of a stage, for want of an input. */
export const notChecked = (inputs: Inputs): string[] =>
  Object.entries(OPTIONAL_INPUTS).flatMap(([name, { variable, checks }]) =>
    inputs[name as OptionalInput] === undefined ? [`${checks} (${variable})`] : [],
  );

/** For tests that exist only with an optional input: it alone, or none. */
export const given = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);
