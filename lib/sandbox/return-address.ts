import type { CartStatus } from '../carts/cart.ts';

/** `{CART_ID}`, with plain or percent-encoded braces. */
const PLACEHOLDER = /(?:\{|%7[Bb])CART_ID(?:\}|%7[Dd])/g;

/** The fields of a cart that make its return address. */
interface ReturningCart {
  /** The merchant's `redirectURL`, if there is one. */
  readonly redirectUrl?: string | undefined;
  readonly id: string;
}

/** Parses an address, which escapes it for a header. Returns `undefined` if it is not http or https. */
const parseAddress = (address: string): URL | undefined => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};

/**
 * The merchant's address to which the buyer returns. Every `{CART_ID}` is replaced by the cart's id. Without one,
 * `cartId` and `status` are added to the query. `undefined` if the merchant sent no address.
 */
export const returnAddress = ({ redirectUrl, id }: ReturningCart, status: CartStatus): string | undefined => {
  if (redirectUrl === undefined) return undefined;
  const filled = redirectUrl.replaceAll(PLACEHOLDER, id);
  const url = parseAddress(filled);
  if (!url) return undefined;
  if (filled === redirectUrl) {
    // `searchParams` would rewrite the merchant's part of the query.
    const separator = url.search === '' ? '' : '&';
    url.search += `${separator}cartId=${encodeURIComponent(id)}&status=${status}`;
  }
  return url.href;
};

/**
 * The CSP source (Level 3, 2.3.1) of a form that sends the buyer to an address. It is the scheme alone: a browser checks
 * every redirect, and a merchant may redirect the buyer to another host. `http:` includes https.
 */
export const formTargetOf = (address: string): string => new URL(address).protocol;
