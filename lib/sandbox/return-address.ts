import type { CartStatus } from '../carts/cart.ts';

/** `{CART_ID}`, its braces as they are or percent-encoded. */
const PLACEHOLDER = /(?:\{|%7[Bb])CART_ID(?:\}|%7[Dd])/g;

/** Where a buyer goes back to, and what is told there. */
interface Return {
  /** The merchant's `redirectURL`, if there is one. */
  readonly redirectUrl?: string | undefined;
  readonly id: string;
}

/** An address in the form that a header can hold, if a buyer can be sent there. */
const parseAddress = (address: string): URL | undefined => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};

/**
 * The address at which the merchant gets the buyer back: the cart's id in the place of every `{CART_ID}`; where there is
 * none, `cartId` and `status` join the query. `undefined` if the merchant gave no address.
 */
export const returnAddress = ({ redirectUrl, id }: Return, status: CartStatus): string | undefined => {
  if (redirectUrl === undefined) return undefined;
  const filled = redirectUrl.replaceAll(PLACEHOLDER, id);
  const url = parseAddress(filled);
  if (!url) return undefined;
  if (filled === redirectUrl) {
    // Not by `searchParams`, which would write the merchant's own part of the query anew.
    const separator = url.search === '' ? '' : '&';
    url.search += `${separator}cartId=${encodeURIComponent(id)}&status=${status}`;
  }
  return url.href;
};

/**
 * Where a page's form may lead that sends the buyer to an address, as a source of a Content Security Policy (Level 3,
 * 2.3.1): the scheme alone, since a browser asks the policy about every redirect that follows, and a merchant's address
 * may lead on to another host. `http:` stands for https too.
 */
export const formTargetOf = (address: string): string => new URL(address).protocol;
