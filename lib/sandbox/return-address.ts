import type { Cart, CartStatus } from '../carts/cart.ts';

/** `{CART_ID}`, with plain or percent-encoded braces. */
const PLACEHOLDER = /(?:\{|%7[Bb])CART_ID(?:\}|%7[Dd])/g;

/** Parses an address, which escapes it for a header. Returns `undefined` if it is not http or https. */
const parseAddress = (address: string): URL | undefined => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};

/**
 * The merchant's address for the buyer's return, or `undefined` if the merchant sent none. The cart's id replaces every
 * `{CART_ID}`. An address without this placeholder gets `cartId` and `status` in its query.
 */
export const returnAddress = (
  { redirectUrl, id }: Pick<Cart, 'redirectUrl' | 'id'>,
  status: CartStatus,
): string | undefined => {
  if (redirectUrl === undefined) return undefined;
  const filled = redirectUrl.replaceAll(PLACEHOLDER, id);
  const url = parseAddress(filled);
  if (!url) return undefined;
  if (filled === redirectUrl) {
    // `searchParams` would re-encode the merchant's part of the query.
    const separator = url.search === '' ? '' : '&';
    url.search += `${separator}cartId=${encodeURIComponent(id)}&status=${status}`;
  }
  return url.href;
};

/**
 * The CSP source (Level 3, 2.3.1) that lets a form lead to an address. It is only the scheme: a browser checks every
 * redirect, and a merchant may redirect the buyer to another host. `http:` includes https.
 */
export const formTargetOf = (address: string): string => new URL(address).protocol;
