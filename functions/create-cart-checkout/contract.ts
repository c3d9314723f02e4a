import * as z from 'zod/mini';
import { createdCartSchema } from '../../lib/carts/cart-view-schema.ts';
import type { CheckoutView } from '../../lib/carts/cart-view.ts';
import {
  type CreateCartRequest,
  createCartRequestSchema,
} from '../../lib/carts/request/create-cart-request.ts';
import { idempotencyKeySchema } from '../../lib/idempotency/idempotency-key.ts';
import type { FieldsOf } from '../../lib/schemas/view-fields.ts';
import { BODY_LIMITS } from '../contract-parts.ts';
import type { OperationContract } from '../operation-contract.ts';

const CART_ID = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';

const BUYER = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };

export const createCartCheckout: OperationContract = {
  tag: 'Carts',
  summary: 'Creates a cart.',
  description:
    'Creates a cart for one product of your store. Redirect the buyer to `redirectUrl` to pay. If several errors apply, the response is the first of 401, 429, 422 and 400. Every authenticated request counts towards the rate limit, valid or not.',
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      // No example: the docs page would send it with every request, and the second one would be rejected.
      description:
        'Makes retries safe. A retry with the same key and fields returns the first cart. The same key with other fields returns 422. The API keys of a store and mode share idempotency keys. The service remembers a key for as long as its cart exists. White space at its ends does not count. Example: `order-2026-000123`.',
      schema: idempotencyKeySchema,
    },
    {
      name: 'Accept-Language',
      in: 'header',
      description:
        "The tag of the form language-REGION with the highest weight becomes the buyer's `lang`. The `lang` of the body comes first. Without both, the default of the API key applies.",
      schema: z.string().check(z.meta({ examples: ['fr-CA, fr;q=0.9'] })),
    },
  ],
  request: {
    description: BODY_LIMITS,
    schema: createCartRequestSchema.check(
      z.meta({
        id: 'CreateCartCheckoutRequest',
        description:
          'An optional field that is `null` counts as absent. The service ignores unknown fields. In test mode, it rejects an unknown field whose name is similar to that of an absent field, or which is that of another API, such as `metadata`. Lengths count Unicode code points. Text must be well-formed Unicode.',
      }),
    ),
    fields: {
      productDocumentId: 'Identifier of the product',
      email: "Buyer's e-mail, trimmed before the check.",
      firstName: "Buyer's first name, trimmed before the check.",
      lastName: "Buyer's last name, trimmed before the check.",
      phone: "Buyer's telephone number. An empty one counts as absent.",
      lang: "The buyer's language and region, such as `fr-CA`. It comes before the header `Accept-Language`.",
      redirectURL:
        'Where the buyer returns after payment: an absolute http or https URL without user name and password. The service replaces each `{CART_ID}` in it with the id of the cart, and rejects other placeholders. Without `{CART_ID}`, or if the query has a `status`, it sets `cartId` and `status` in the query, in place of your own. Note the spelling: the response has `redirectUrl`.',
      cancelURL:
        'Where a buyer goes who leaves the payment page without a payment, by the rules of `redirectURL`. Default: the `redirectURL`.',
      meta: 'Custom metadata, at most 125 KiB as JSON. The retrieved cart contains it. An empty array counts as `{}`.',
      expiresInMinutes:
        "How long the buyer can pay, in whole minutes. Default and maximum: the stage's time, usually 1440.",
      customerPrice:
        "The buyer's price for a free-pricing product, in the currency's main unit, at least its minimum. At most 15 digits, the currency's decimals included: at most 9999999999999.99 EUR. Default: the product's suggested price. Without one, the field is required. For a fixed-price product, send the exact price or none.",
    } satisfies Record<keyof CreateCartRequest, string>,
    examples: {
      fixedPrice: {
        summary: 'A product with a fixed price',
        value: { productDocumentId: 'one-course', ...BUYER },
      },
      freePricing: {
        summary: 'A free-pricing product, with every field',
        value: {
          productDocumentId: 'one-donation',
          ...BUYER,
          phone: '+1 555 0100',
          lang: 'fr-CA',
          redirectURL: 'https://shop.example.com/thanks?cart={CART_ID}',
          cancelURL: 'https://shop.example.com/basket?cart={CART_ID}',
          meta: { orderId: 'A-1' },
          expiresInMinutes: 60,
          customerPrice: 12.5,
        } satisfies CreateCartRequest,
      },
    },
  },
  response: {
    status: 201,
    description: 'The cart and its payment address',
    schema: z
      .object({
        cart: createdCartSchema,
        redirectUrl: z
          .url()
          .check(
            z.describe(
              'Address to which you redirect the buyer to pay. Note the spelling: the request has `redirectURL`.',
            ),
          ),
      } satisfies FieldsOf<CheckoutView>)
      .check(z.meta({ id: 'CreateCartCheckoutResponse' })),
    examples: {
      created: {
        summary: 'A cart that waits for its payment',
        value: {
          cart: {
            id: CART_ID,
            createdAt: '2026-11-20T11:33:57.194Z',
            updatedAt: '2026-11-20T11:33:57.194Z',
            status: 'waiting_payment',
            customerInfo: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
            productDocumentId: 'one-course',
            productName: 'Course',
            price: { amount: 49.9, currency: 'EUR' },
            expiresAt: '2026-11-21T11:33:57.194Z',
          },
          redirectUrl: `https://checkout.example.com/${CART_ID}`,
        } satisfies CheckoutView,
      },
    },
    headers: {
      'Idempotent-Replayed': {
        description: 'Present if an earlier request with the same `Idempotency-Key` created the cart',
        schema: z.literal('true'),
      },
    },
    links: {
      retrieval: {
        operationId: 'getCart',
        description: 'Retrieves the created cart',
        parameters: { cartId: '$response.body#/cart/id' },
      },
    },
  },
  errors: ['invalidProduct', 'idempotencyKeyReused'],
};
