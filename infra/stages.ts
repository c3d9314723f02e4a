import { createHash } from 'node:crypto';
import { isBaseUrl } from '../lib/base-url.ts';
import type { CartLifetime } from '../lib/carts/cart.ts';
import { OperatorError } from './operator-error.ts';

/** All that differs between stages. Constructs read this, never a stage's name. */
export interface StageConfig {
  /** Lower-case letters, digits and hyphens, at most 24: safe in every AWS name. */
  readonly name: string;
  /** Durable stages keep their data whatever is deleted; the others leave nothing behind. */
  readonly isDurable: boolean;
  /** Where the buyers of live carts pay. */
  readonly liveCheckoutUrl: string;
  readonly cartLifetime: CartLifetime;
  /** What the gateway lets through to all keys together. */
  readonly throttle: { readonly requestsPerSecond: number; readonly burst: number };
}

/** What a deployment may say of its stage: the CDK's context, `-c name=value`. */
export interface StageContext {
  readonly stage: string;
  readonly checkoutUrl?: string | undefined;
}

/** The defaults of every stage, the local one included. */
export const CART_LIFETIME: CartLifetime = { expirySeconds: 24 * 3_600, retentionSeconds: 30 * 86_400 };

/** Stands for a payment page where there is none: RFC 2606 reserves the name. */
export const PLACEHOLDER_CHECKOUT_URL = 'https://checkout.example.com';

const PRODUCTION = 'prod';

const NAME_LENGTH_MAX = 24;
const HASH_LENGTH = 6;

/**
 * Makes a stage's name of any text, such as a branch's. A text that is one already stays; any other keeps what can be
 * kept, and gets a part of its hash, so that two texts never become one name.
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

/**
 * The configuration of a stage.
 *
 * @throws OperatorError if the production stage lacks its checkout address, or an address is malformed
 */
export const stageConfig = ({ stage, checkoutUrl }: StageContext): StageConfig => {
  const name = safeStageName(stage);
  const isDurable = name === PRODUCTION;
  if (isDurable && checkoutUrl === undefined) {
    throw new OperatorError(
      `The stage ${name} takes real money: say where buyers pay, with -c checkoutUrl=https://...`,
    );
  }
  if (checkoutUrl !== undefined && !isBaseUrl(checkoutUrl)) {
    throw new OperatorError('The checkoutUrl must be an http(s) address without query or trailing slash.');
  }
  return {
    name,
    isDurable,
    liveCheckoutUrl: checkoutUrl ?? PLACEHOLDER_CHECKOUT_URL,
    cartLifetime: CART_LIFETIME,
    throttle: isDurable ? { requestsPerSecond: 1_000, burst: 2_000 } : { requestsPerSecond: 100, burst: 200 },
  };
};
