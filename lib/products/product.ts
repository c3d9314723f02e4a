/** A fixed price, or a price that the buyer chooses. Amounts are in the main unit of the product's currency. */
export type Pricing =
  | { readonly type: 'fixed'; readonly amount: number }
  | { readonly type: 'free'; readonly minimum?: number | undefined; readonly suggested?: number | undefined };

export interface Product {
  /** The public id: `productDocumentId` in requests. */
  readonly id: string;
  readonly storeId: string;
  readonly name: string;
  readonly available: boolean;
  readonly currency: string;
  readonly pricing: Pricing;
}

/** The form of a product's id. */
export const PRODUCT_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The product id of a request. `undefined` if no product can have it. */
export const parseProductId = (text: string | undefined): string | undefined => text?.match(PRODUCT_ID)?.[0];

/** The index of products by store, in the order of their ids. */
export const STORE_INDEX = 'byStore';

/** Whether a product exists, is available and belongs to a store. */
export const isSoldBy = (product: Product | undefined, storeId: string): product is Product =>
  product !== undefined && product.storeId === storeId && product.available;
