import type { API_ERRORS, ApiErrorKind } from '../../lib/http/errors.ts';

export type ErrorCode = (typeof API_ERRORS)[ApiErrorKind]['code'];

/** The usual causes of an error, and an example of the fix. Backticks enclose code. */
interface ErrorHelp {
  readonly causes: readonly string[];
  /** Code, or lines before (`-`) and after (`+`) the fix. Absent if a repetition is the fix. */
  readonly fix?: string;
}

const OUR_FAULT = 'The service failed, and an alarm has notified us. Your request is not the cause.';

/** The help for each code, in the order of the page: the most frequent code first. */
export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  VALIDATION_ERROR: {
    causes: [
      'A field has the name or spelling of another API, such as `redirectUrl` or `return_url`. Test mode rejects unknown spellings, and suggests ours.',
      'A required field is missing: `productDocumentId`, `email`, `firstName` or `lastName`.',
      'A value of `meta` is a number or a boolean. Send it as a string.',
      'The body is a form, or `Content-Type` is not `application/json`.',
    ],
    fix: `  {
    "productDocumentId": "one-course",
-   "redirectUrl": "https://shop.example/thanks",
+   "redirectURL": "https://shop.example/thanks",
-   "meta": { "order": 5 }
+   "meta": { "order": "5" }
  }`,
  },
  INVALID_API_KEY: {
    causes: [
      'The header lacks the word `Bearer`, or the variable with the key is empty. `details` then says so.',
      'The key belongs to another stage, or was replaced. Without `details`, its form is right.',
      'A redirect from http to https dropped the header. Use the https address.',
    ],
    fix: `- Authorization: cck_test_...
+ Authorization: Bearer cck_test_...`,
  },
  INVALID_PRODUCT: {
    causes: [
      'Creation: the product belongs to another store, or is no longer available.',
      'Retrieval: the cart was created with a key of the other mode. A live key sees no test cart.',
      'Retrieval: the id is that of your order, not `cart.id`.',
      'The cart expired long ago, and was deleted because nobody paid it.',
    ],
    fix: `curl {baseUrl}/api/v1/stores/products -H 'Authorization: Bearer {key}'    # the ids that you can sell`,
  },
  IDEMPOTENCY_KEY_REUSED: {
    causes: [
      'The key is a constant, or the id of a user or a product, so several purchases share it.',
      'The buyer changed the order, and your server sent the first key again.',
    ],
    fix: `- 'Idempotency-Key': user.id
+ 'Idempotency-Key': attempt.id    // a UUID for each attempt to buy, stored before the call`,
  },
  RATE_LIMITED: {
    causes: [
      'A loop retrieves a cart without a pause. Webhooks need no loop.',
      'Several programs share one key. We can issue one for each.',
      'The sandbox allows ten actions on a test cart in a minute.',
    ],
    fix: `if (response.status === 429) await sleep(1000 * Number(response.headers.get('Retry-After')));`,
  },
  NOT_FOUND: {
    causes: [
      'The base address has a path, so `/api/v1` is sent twice.',
      'The path ends with a slash.',
      'The method is wrong, for example after a redirect that made a GET of a POST.',
    ],
    fix: `- POST {baseUrl}/api/v1/api/v1/stores/cart/checkout/
+ POST {baseUrl}/api/v1/stores/cart/checkout`,
  },
  CART_COMPLETED: {
    causes: ['Your server ended the cart just as the buyer paid it.'],
    fix: `const { status } = await client.retrieveCart(cartId);
if (status === 'completed') await deliver(order);`,
  },
  CART_PAYMENT_FAILED: {
    causes: ['Your server ended a cart whose payment was declined. The buyer may be trying another card.'],
    fix: `- order.state = 'cancelled';
+ order.state = 'unpaid';    // cart.completed can still arrive`,
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    causes: ['The endpoint belongs to the other mode or another store.', 'The endpoint was deleted.'],
    fix: `curl {baseUrl}/api/v1/stores/webhook-endpoints -H 'Authorization: Bearer {key}'    # the endpoints of this key`,
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    causes: ['Five days of failures, or your own `"enabled": false`. The field `disabledReason` says which.'],
    fix: `curl -X PATCH {baseUrl}/api/v1/stores/webhook-endpoints/{endpointId} \\
  -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' -d '{"enabled":true}'`,
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    causes: ['A deployment adds an endpoint each time. Change the `url` of the last one instead.'],
    fix: `- POST  {baseUrl}/api/v1/stores/webhook-endpoints
+ PATCH {baseUrl}/api/v1/stores/webhook-endpoints/{endpointId}`,
  },
  TEST_EVENT_LIMITED: { causes: ['Two test events were sent within ten seconds.'] },
  RESEND_LIMITED: { causes: ['A program resends many deliveries. One every ten seconds is accepted.'] },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    causes: [
      'The delivery was a test.',
      'The event is no longer kept.',
      'The delivery belongs to another endpoint.',
    ],
    fix: `curl {baseUrl}/api/v1/stores/events -H 'Authorization: Bearer {key}'    # the events that are kept`,
  },
  WEBHOOK_SECRET_CHANGED: {
    causes: ['Two programs or people rotated the secret at the same time.'],
    fix: `curl -X POST {baseUrl}/api/v1/stores/webhook-endpoints/{endpointId}/rotate-secret \\
  -H 'Authorization: Bearer {key}'    # from one place`,
  },
  WEBHOOK_ENDPOINT_LOCKED: { causes: ['The endpoint did harm, or somebody else owns its host.'] },
  PAYLOAD_TOO_LARGE: {
    causes: [
      'A file or a whole basket is in `meta`. Send the id of your order instead.',
      'A body above 16 KB is sent in chunks.',
    ],
    fix: `- "meta": { "basket": "[{...}, {...}, ...]" }
+ "meta": { "order": "5" }`,
  },
  MALFORMED_REQUEST: {
    causes: [
      'The path has an id whose special characters, such as a space, are not percent-encoded.',
      'A header has a line break, for example at the end of a key that was read from a file.',
      'The connection stalled before the body was complete (408).',
    ],
    fix: `- fetch(baseUrl + '/api/v1/stores/products/' + id)
+ fetch(baseUrl + '/api/v1/stores/products/' + encodeURIComponent(id))`,
  },
  FORBIDDEN: {
    causes: [
      'The firewall took the request for an attack, or your address sent too many requests.',
      'A form of another site was sent to the payment page of test mode.',
    ],
  },
  SERVICE_UNAVAILABLE: { causes: [OUR_FAULT] },
  TIMEOUT: { causes: [OUR_FAULT] },
  INTERNAL_ERROR: { causes: [OUR_FAULT] },
};
