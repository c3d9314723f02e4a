import { statusAfter, statusAt } from './cart-status.ts';
import type { Cart, CartStatus } from './cart.ts';
import { PLACEHOLDER } from './request/return-url.ts';

/** Parses an address, which escapes it for a header. Returns `undefined` if it is not http or https. */
const parseAddress = (address: string): URL | undefined => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};

/** The names of the parameters that the service adds to a query. */
const ADDED_NAMES: ReadonlySet<string | undefined> = new Set(['cartId', 'status']);

/** The parts of a query between two `&`. */
const partsOf = (search: string): string[] => search.slice(1).split('&');

/** The decoded name of a part. Some programs drop both `?` of `??status=success`, so the first name never has one. */
const nameOf = (part: string, index: number): string | undefined =>
  // The `&` keeps `URLSearchParams` from dropping a `?` at the start of a later part.
  new URLSearchParams(index === 0 ? part : `&${part}`).keys().next().value;

/** A query with `cartId` and `status` in place of the merchant's own. The rest of the query stays byte for byte. */
const withResult = (search: string, id: string, status: CartStatus): string => {
  // `searchParams` would re-encode the merchant's part of the query.
  const kept = partsOf(search)
    .filter((part, index) => !ADDED_NAMES.has(nameOf(part, index)))
    .join('&');
  // The setter of `search` drops one `?`, which would turn `?status` of the merchant into `status`.
  return `?${kept}${kept === '' ? '' : '&'}cartId=${encodeURIComponent(id)}&status=${status}`;
};

/**
 * The merchant's address for the buyer's return, or `undefined` if the merchant sent none. The cart's id replaces every
 * `{CART_ID}`. An address without this placeholder, or with a `status` of its own, gets `cartId` and `status` in its query,
 * in place of its own.
 */
export const returnAddress = (
  { returnUrl, id }: Pick<Cart, 'returnUrl' | 'id'>,
  status: CartStatus,
): string | undefined => {
  if (returnUrl === undefined) return undefined;
  const filled = returnUrl.replaceAll(PLACEHOLDER, (text, name) => (name === 'CART_ID' ? id : text));
  const url = parseAddress(filled);
  if (!url) return undefined;
  // A page that reads `status=success` must not read it after a failed payment.
  if (filled === returnUrl || partsOf(url.search).map(nameOf).includes('status'))
    url.search = withResult(url.search, id, status);
  return url.href;
};

/** The address for a buyer who leaves without a payment: the merchant's `cancelURL`, by the rules of {@link returnAddress}. */
export const leaveAddress = (
  { returnUrl, cancelUrl = returnUrl, id }: Pick<Cart, 'returnUrl' | 'cancelUrl' | 'id'>,
  status: CartStatus,
): string | undefined =>
  // Somebody paid meanwhile, perhaps in another tab.
  returnAddress({ returnUrl: status === 'completed' ? returnUrl : cancelUrl, id }, status);

/** The addresses for the buyer's return after a payment that succeeded or failed, or without a payment. */
export interface ReturnUrls {
  readonly succeeded?: string | undefined;
  readonly failed?: string | undefined;
  readonly left?: string | undefined;
}

/** The address for each outcome of a visit to the payment page at `nowMs`, if the merchant sent one. */
export const returnUrlsOf = (cart: Cart, nowMs: number): ReturnUrls | undefined => {
  const { status } = statusAt(cart, nowMs);
  const succeeded = returnAddress(cart, statusAfter(status, 'succeeded'));
  const failed = returnAddress(cart, statusAfter(status, 'failed'));
  const left = leaveAddress(cart, status);
  return succeeded || left ? { succeeded, failed, left } : undefined;
};
