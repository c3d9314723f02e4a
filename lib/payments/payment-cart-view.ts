import { type RetrievedCartView, viewRetrievedCart } from '../carts/cart-view.ts';
import type { Cart } from '../carts/cart.ts';
import { type ReturnUrls, returnUrlsOf } from '../carts/return-address.ts';
import type { Mode } from '../stores/mode.ts';

/** A cart as a payment page needs it (`docs/payments.md`, "Read the cart"). */
export interface PaymentCartView extends Pick<
  RetrievedCartView,
  'id' | 'status' | 'expiresAt' | 'price' | 'customerInfo'
> {
  readonly mode: Mode;
  readonly store: { readonly id: string; readonly name: string };
  readonly product: { readonly id: string; readonly name: string };
  /** Absent if the merchant gave no address for the buyer's return. */
  readonly returnUrls?: ReturnUrls | undefined;
}

/** Converts a cart for a payment page, with its status at `nowMs`. */
export const viewPaymentCart = (cart: Cart, storeName: string, nowMs: number): PaymentCartView => {
  const { id, status, expiresAt, price, customerInfo } = viewRetrievedCart(cart, nowMs);
  return {
    id,
    mode: cart.mode,
    status,
    expiresAt,
    store: { id: cart.storeId, name: storeName },
    product: { id: cart.productId, name: cart.productName },
    price,
    customerInfo,
    returnUrls: returnUrlsOf(cart, nowMs),
  };
};
