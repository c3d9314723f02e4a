import { fingerprintOf } from '../../idempotency/fingerprint.ts';
import type { InvalidField } from '../../requests/invalid-field.ts';
import { type Cart, type ConvertedField, isErased, isKeptField, keptFieldsOf } from '../cart.ts';
import { type CreateCartRequest, createCartRequestSchema } from '../request/create-cart-request.ts';

/** A cart does not keep `expiresInMinutes`: its expiry also depends on the time of the request. */
type ComparedField = Exclude<ConvertedField, 'expiresInMinutes'>;

/** Whether each converted field differs. An absent `customerPrice` or `lang` has its value from elsewhere. */
const compareConverted = (
  { productId, price: { amount }, customerInfo: buyer, returnUrl, cancelUrl }: Cart,
  request: CreateCartRequest,
): Readonly<Record<ComparedField, boolean>> => ({
  productDocumentId: request.productDocumentId !== productId,
  customerPrice: (request.customerPrice ?? amount) !== amount,
  email: request.email !== buyer.email,
  firstName: request.firstName !== buyer.firstName,
  lastName: request.lastName !== buyer.lastName,
  phone: request.phone !== buyer.phone,
  lang: (request.lang ?? buyer.lang) !== buyer.lang,
  redirectURL: request.redirectURL !== returnUrl,
  cancelURL: request.cancelURL !== cancelUrl,
});

/** Whether each other field differs. */
const compareKept = (cart: Cart, request: CreateCartRequest): Readonly<Record<string, boolean>> => {
  const sent = keptFieldsOf(request);
  const differs = (field: keyof typeof sent): boolean =>
    fingerprintOf(sent[field] ?? null) !== fingerprintOf(cart[field] ?? null);
  const fields = Object.keys(createCartRequestSchema.shape).filter(isKeptField);
  return Object.fromEntries(fields.map((field) => [field, differs(field)]));
};

/** The fields that are compared with an erased cart. */
const ERASED_CART_FIELDS: readonly string[] = [
  'productDocumentId',
  'customerPrice',
] satisfies ComparedField[];

/**
 * The fields of a request that differ from those of the first one with the same idempotency key. The stored fingerprint is a hash of
 * all fields, so this compares the values of the cart. The fingerprint alone decides whether the request is a retry.
 *
 * @param cart of the first request
 */
export const differingFields = (cart: Cart, request: CreateCartRequest): readonly InvalidField[] => {
  const message = 'Differs from the first request with this Idempotency-Key';
  const issues = Object.entries({ ...compareConverted(cart, request), ...compareKept(cart, request) })
    .filter(([field, differs]) => differs && (!isErased(cart) || ERASED_CART_FIELDS.includes(field)))
    .map(([path]) => ({ path, message }));
  if (issues.length > 0) return issues;
  const unknown = 'The first request had another customerPrice, expiresInMinutes or lang';
  return [{ path: 'headers.idempotency-key', message: unknown }];
};
