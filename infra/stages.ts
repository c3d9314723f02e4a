import { createHash } from 'node:crypto';
import { isBaseUrl } from '../lib/base-url.ts';
import type { CartLifetime } from '../lib/carts/cart.ts';
import { OperatorError } from './operator-error.ts';
import type { StageContext } from './stage-context.ts';

/** The configuration of a stage. Constructs read its fields and never decide by the stage's name. */
export interface StageConfig {
  /** Lower-case letters, digits and hyphens, at most 24: safe in every AWS name. */
  readonly name: string;
  /** Whether the data outlives the stack. If not, deleting the stack deletes everything. */
  readonly retainsData: boolean;
  /** The address where the buyers of live carts pay. */
  readonly liveCheckoutUrl: string;
  readonly cartLifetime: CartLifetime;
  /** The limit of the gateway for all keys together. */
  readonly throttle: { readonly requestsPerSecond: number; readonly burst: number };
  /** The e-mail address that alarms notify, if there is one. */
  readonly alarmEmail?: string | undefined;
  /** Whether the gateway has a web application firewall. */
  readonly hasFirewall: boolean;
  /** Whether the stage serves the payment page of test mode, which is public. */
  readonly hasSandbox: boolean;
}

/** The defaults of every stage, the local one included. */
export const CART_LIFETIME: CartLifetime = { expirySeconds: 24 * 3_600, retentionSeconds: 30 * 86_400 };

/** A placeholder for stages without a payment page. RFC 2606 reserves the name. */
export const PLACEHOLDER_CHECKOUT_URL = 'https://checkout.example.com';

const PRODUCTION = 'prod';

/** A name that begins with one of these words, in any case. Only `prod` keeps its data and takes real payments. */
const LIKE_PRODUCTION = /^[^a-z]*(?:prod|production|prd|live)(?![a-z])/i;

const NAME_LENGTH_MAX = 24;
/** 40 bits: a collision among a thousand branches has a chance of one in two million. */
const HASH_LENGTH = 10;

/**
 * Turns any text, such as a branch name, into a stage name. A valid name stays. Any other text keeps its valid characters
 * and gets a part of its hash: two texts do not share a name.
 */
export const safeStageName = (text: string): string => {
  if (/^[a-z][a-z0-9-]*$/.test(text) && text.length <= NAME_LENGTH_MAX && !text.endsWith('-')) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
  const kept = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, NAME_LENGTH_MAX - HASH_LENGTH - 1)
    .replace(/-+$/, '');
  return `${kept === '' ? 'stage' : kept}-${hash}`;
};

/** The name of a stage's CloudFormation stack. */
export const stackNameOf = (stageName: string): string => `CartCheckout-${stageName}`;

/** Above this, an account needs a larger quota than AWS grants on request. */
const REQUESTS_PER_SECOND_MAX = 100_000;

/** 30 minutes to 30 days (`docs/decisions.md`). */
const CART_EXPIRY_MINUTES = { min: 30, max: 30 * 24 * 60 } as const;

const wholeNumber = (name: string, text: string, { min, max }: { min: number; max: number }): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new OperatorError(`The ${name} must be a whole number from ${min} to ${max}.`);
};

const stageNameOf = ({ stage }: StageContext): string => {
  if (stage === PRODUCTION || !LIKE_PRODUCTION.test(stage)) return safeStageName(stage);
  throw new OperatorError(
    `The stage ${JSON.stringify(stage)} is not production, but its name looks like it. ` +
      `Pass -c stage=${PRODUCTION} for production, or -c stage=... with another name.`,
  );
};

const checkoutUrlOf = ({ checkoutUrl }: StageContext, name: string, retainsData: boolean): string => {
  if (retainsData && checkoutUrl === undefined) {
    throw new OperatorError(
      `The stage ${name} takes real payments. Set the address of the payment page with -c checkoutUrl=https://...`,
    );
  }
  if (checkoutUrl !== undefined && !isBaseUrl(checkoutUrl)) {
    throw new OperatorError('The checkoutUrl must be an http(s) address without query or trailing slash.');
  }
  if (retainsData && !/^https:/i.test(String(checkoutUrl))) {
    throw new OperatorError(`The checkoutUrl of ${name} must begin with https://, because buyers pay there.`);
  }
  return checkoutUrl ?? PLACEHOLDER_CHECKOUT_URL;
};

const throttleOf = ({ requestsPerSecond }: StageContext, retainsData: boolean): StageConfig['throttle'] => {
  const rate =
    requestsPerSecond === undefined
      ? retainsData
        ? 1_000
        : 100
      : wholeNumber('requestsPerSecond', requestsPerSecond, { min: 1, max: REQUESTS_PER_SECOND_MAX });
  return { requestsPerSecond: rate, burst: 2 * rate };
};

const cartLifetimeOf = ({ cartExpiryMinutes }: StageContext): CartLifetime =>
  cartExpiryMinutes === undefined
    ? CART_LIFETIME
    : {
        ...CART_LIFETIME,
        expirySeconds: 60 * wholeNumber('cartExpiryMinutes', cartExpiryMinutes, CART_EXPIRY_MINUTES),
      };

const alarmEmailOf = ({ alarmEmail }: StageContext): string | undefined => {
  if (alarmEmail === undefined || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(alarmEmail)) return alarmEmail;
  throw new OperatorError('The alarmEmail must be an e-mail address.');
};

const trueOrFalse = (name: 'firewall' | 'sandbox', text: string): boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new OperatorError(`The ${name} must be true or false.`);
};

const hasFirewall = ({ firewall = 'false' }: StageContext): boolean => trueOrFalse('firewall', firewall);

const hasSandbox = ({ sandbox = 'true' }: StageContext): boolean => trueOrFalse('sandbox', sandbox);

/**
 * The configuration of a stage.
 *
 * @throws OperatorError if the name looks like production and is not, if production lacks its checkout address, or if a
 *   value of the context is impossible
 */
export const stageConfig = (context: StageContext): StageConfig => {
  const name = stageNameOf(context);
  const retainsData = name === PRODUCTION;
  return {
    name,
    retainsData,
    liveCheckoutUrl: checkoutUrlOf(context, name, retainsData),
    cartLifetime: cartLifetimeOf(context),
    throttle: throttleOf(context, retainsData),
    alarmEmail: alarmEmailOf(context),
    hasFirewall: hasFirewall(context),
    hasSandbox: hasSandbox(context),
  };
};
