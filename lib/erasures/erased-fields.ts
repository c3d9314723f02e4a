import type { CartEvent } from '../carts/cart-event.ts';
import type { Cart, CustomerInfo } from '../carts/cart.ts';

/**
 * Whether an erasure of the buyer's data keeps each field of a value. The rule of an object may be a table: the object then keeps
 * the fields that its table keeps. A table that lacks a field does not compile.
 */
type FieldRules<Value> = {
  readonly [Field in keyof Value]-?:
    | 'kept'
    | 'erased'
    | (NonNullable<Value[Field]> extends object ? FieldRules<NonNullable<Value[Field]>> : never);
};

const CUSTOMER_INFO: FieldRules<CustomerInfo> = {
  firstName: 'erased',
  lastName: 'erased',
  email: 'erased',
  phone: 'erased',
  lang: 'erased',
};

/**
 * The addresses for the buyer's return can carry an e-mail in their query. The fingerprint is an unsalted hash over the e-mail. A
 * payment and a refund have ids, amounts and a time.
 */
export const CART_RULES = {
  id: 'kept',
  storeId: 'kept',
  mode: 'kept',
  status: 'kept',
  createdAtMs: 'kept',
  updatedAtMs: 'kept',
  expiresAtMs: 'kept',
  customerInfo: CUSTOMER_INFO,
  productId: 'kept',
  productName: 'kept',
  price: 'kept',
  returnUrl: 'erased',
  cancelUrl: 'erased',
  paymentId: 'kept',
  payments: 'kept',
  refunds: 'kept',
  earlyRefunds: 'kept',
  latePayment: 'kept',
  completedAtMs: 'kept',
  failureReason: 'kept',
  abandonmentRecordedAtMs: 'kept',
  deleteAtSeconds: 'kept',
  // It has the merchant's own keys: none is kept.
  meta: {},
  requestFingerprint: 'erased',
  personalDataErasedAtMs: 'kept',
} as const satisfies FieldRules<Cart>;

/**
 * The rules of an event. A field that the cart has too has the cart's rule. It is a function, because a bundler would keep the
 * spread in bundles that erase nothing.
 */
export const eventRules = (): FieldRules<CartEvent> => ({
  id: 'kept',
  type: 'kept',
  timestamp: 'kept',
  test: 'kept',
  data: {
    ...CART_RULES,
    createdAt: 'kept',
    updatedAt: 'kept',
    productDocumentId: 'kept',
    expiresAt: 'kept',
    completedAt: 'kept',
    refundedAmount: 'kept',
    // No event has one.
    redirectUrl: 'erased',
    duplicatePaymentId: 'kept',
    refund: 'kept',
  },
});

/** A copy of a value with its kept fields, in their order. Fields without a rule are erased: a later release stored them. */
export const keepFields = <Value extends object>(value: Value, rules: FieldRules<Value>): Partial<Value> => {
  const kept = Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof Value] : 'erased';
    if (rule === 'erased') return [];
    return [[name, rule === 'kept' ? field : keepFields(field as object, rule as FieldRules<object>)]];
  });
  return Object.fromEntries(kept) as Partial<Value>;
};
