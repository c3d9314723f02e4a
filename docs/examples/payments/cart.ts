// SPDX-License-Identifier: MIT-0
/** The response of `GET /internal/v1/carts/{cartId}`: the fields that this adapter uses. */
export interface PaymentCart {
  readonly id: string;
  readonly mode: 'live' | 'test';
  readonly status: 'waiting_payment' | 'payment_failed' | 'abandoned' | 'completed';
  readonly store: { readonly name: string };
  readonly product: { readonly name: string };
  readonly price: Price;
  readonly customerInfo: { readonly email?: string; readonly lang?: string };
  /** Absent if the merchant gave no address. */
  readonly returnUrls?: Readonly<Partial<Record<Outcome, string>>>;
}

/** How the buyer's visit ended. */
export type Outcome = 'succeeded' | 'failed' | 'left';

/** An amount in the currency's main unit, such as `{ amount: 49.9, currency: 'EUR' }`. */
export interface Price {
  readonly amount: number;
  readonly currency: string;
}

/** The decimals of currencies that do not have two. Compare them with the table of your provider. */
const DECIMALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
};

const unitsPerMain = (currency: string): number => 10 ** (DECIMALS[currency] ?? 2);

/** Converts 49.9 EUR to 4990. The result is exact, because the service rejects prices with more decimals. */
export const toMinorUnits = ({ amount, currency }: Price): number =>
  Math.round(amount * unitsPerMain(currency));

/** Converts 4990 EUR to 49.9. */
export const fromMinorUnits = (units: number, currency: string): number => units / unitsPerMain(currency);
