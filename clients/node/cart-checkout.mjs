// SPDX-License-Identifier: MIT-0
// A client of the Cart Checkout API for servers on Node.js 20.19 or later. One file without dependencies.

import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isAnyArrayBuffer } from 'node:util/types';

const VERSION = '1.0.0';

/** The types of events that this version knows. Later versions of the API can add types. */
// generated: eventTypes
export const EVENT_TYPES = /** @type {const} */ ([
  'cart.completed',
  'cart.payment_failed',
  'cart.abandoned',
  'cart.duplicate_payment',
  'cart.refunded',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
  'webhook_endpoint.secret_rotated',
]);
// /generated

/** @typedef {typeof EVENT_TYPES[number]} EventType The type of an event of the feed */

// generated: types
/**
 * @typedef {object} NewCart An optional field that is `null` counts as absent. The service ignores unknown fields. In
 *   test mode, it rejects an unknown field whose name is similar to that of an absent field, or which is that of
 *   another API, such as `metadata`. Lengths count Unicode code points. Text must be well-formed Unicode.
 * @property {string} productDocumentId Identifier of the product
 * @property {string} email Buyer's e-mail, trimmed before the check.
 * @property {string} firstName Buyer's first name, trimmed before the check.
 * @property {string} lastName Buyer's last name, trimmed before the check.
 * @property {string | null | undefined} [phone] Buyer's telephone number. An empty one counts as absent.
 * @property {string | null | undefined} [lang] The buyer's language and region, such as `fr-CA`. It comes before the
 *   header `Accept-Language`.
 * @property {string | null | undefined} [redirectURL] Where the buyer returns after payment: an absolute http or https
 *   URL without user name and password. The service replaces each `{CART_ID}` in it with the id of the cart, and
 *   rejects other placeholders. Without `{CART_ID}`, or if the query has a `status`, it sets `cartId` and `status` in
 *   the query, in place of your own. Note the spelling: the response has `redirectUrl`.
 * @property {string | null | undefined} [cancelURL] Where a buyer goes who leaves the payment page without a payment,
 *   by the rules of `redirectURL`. Default: the `redirectURL`.
 * @property {Record<string, string> | null | undefined} [meta] Custom metadata, at most 125 KiB as JSON. The retrieved
 *   cart contains it. An empty array counts as `{}`.
 * @property {number | null | undefined} [expiresInMinutes] How long the buyer can pay, in whole minutes. Default and
 *   maximum: the stage's time, usually 1440.
 * @property {number | null | undefined} [customerPrice] The buyer's price for a free-pricing product, in the
 *   currency's main unit, at least its minimum. At most 15 digits, the currency's decimals included: at most
 *   9999999999999.99 EUR. Default: the product's suggested price. Without one, the field is required. For a
 *   fixed-price product, send the exact price or none.
 */

/**
 * @typedef {object} Checkout
 * @property {CreatedCart} cart
 * @property {string} redirectUrl Address to which you redirect the buyer to pay. Note the spelling: the request has
 *   `redirectURL`.
 * @property {string} idempotencyKey Of the request
 * @property {boolean} replayed Whether an earlier request with this key created it
 */

/**
 * @typedef {object} CreatedCart A cart in the response to its creation
 * @property {string} id Identifier of the cart
 * @property {string} createdAt Time of creation, ISO 8601 in UTC
 * @property {string} updatedAt Time of the last change of status or payment, ISO 8601 in UTC
 * @property {CartStatus} status
 * @property {CustomerInfo} customerInfo
 * @property {string} productDocumentId The product of the cart: compare it with your order
 * @property {string} productName The product's name at the cart's creation
 * @property {Price} price
 * @property {string} expiresAt Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC
 */

/** @typedef {'waiting_payment' | 'completed' | 'abandoned' | 'payment_failed'} CartStatus `waiting_payment`: No payment succeeded or failed yet */

/**
 * @typedef {object} CustomerInfo The buyer. A field without a value is absent.
 * @property {string} [firstName]
 * @property {string} [lastName]
 * @property {string} [email]
 * @property {string} [phone]
 * @property {string} [lang] Such as `fr-CA`
 */

/**
 * @typedef {object} Price The amount to pay
 * @property {number} amount In the currency's main unit, such as `49.9`
 * @property {string} currency ISO 4217 code, such as `EUR`
 */

/** @typedef {'INVALID_PRODUCT' | 'INVALID_API_KEY' | 'VALIDATION_ERROR' | 'RATE_LIMITED' | 'CART_COMPLETED' | 'CART_PAYMENT_FAILED' | 'IDEMPOTENCY_KEY_REUSED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_DELIVERY_NOT_FOUND' | 'TOO_MANY_WEBHOOK_ENDPOINTS' | 'WEBHOOK_ENDPOINT_DISABLED' | 'WEBHOOK_ENDPOINT_LOCKED' | 'WEBHOOK_SECRET_CHANGED' | 'TEST_EVENT_LIMITED' | 'RESEND_LIMITED' | 'INTERNAL_ERROR' | 'SERVICE_UNAVAILABLE' | 'MALFORMED_REQUEST' | 'FORBIDDEN' | 'NOT_FOUND' | 'PAYLOAD_TOO_LARGE' | 'TIMEOUT' | (string & {})} ErrorCode  */

/**
 * @typedef {object} Detail A validation issue: the path of the field, and how to fix it
 * @property {string} path Such as `email`, `meta.color` or `headers.idempotency-key`. Empty for an issue of the whole
 *   body.
 * @property {string} message The rule that the value breaks
 */

/**
 * @typedef {object} Cart A cart with its payment, `meta` and expiry
 * @property {string} id Identifier of the cart
 * @property {string} createdAt Time of creation, ISO 8601 in UTC
 * @property {string} updatedAt Time of the last change of status or payment, ISO 8601 in UTC
 * @property {CartStatus} status
 * @property {CustomerInfo} customerInfo
 * @property {string} productDocumentId The product of the cart: compare it with your order
 * @property {string} productName The product's name at the cart's creation
 * @property {Price} price
 * @property {string} expiresAt Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC
 * @property {string} [paymentId] The payment that completed the cart, or the last one that failed
 * @property {Record<string, string>} meta The `meta` of the create request, or `{}`
 * @property {true} [latePayment] Present if the cart was `abandoned` when the payment succeeded
 * @property {string} [completedAt] Time of the payment that completed the cart, ISO 8601 in UTC
 * @property {string} [failureReason] Why the last payment failed, such as `card_declined`. Only in `payment_failed`,
 *   and only if the payment side gave a reason
 * @property {Refund[]} [refunds] The refunds of all payments of the cart, the oldest first. Absent before the first
 * @property {number} [refundedAmount] The sum of the refunds of `paymentId`, in the currency of `price`. Absent before
 *   the first. Refunds of a duplicate payment do not count
 * @property {string} [redirectUrl] Address where the buyer pays. Present in `waiting_payment` and `payment_failed`,
 *   absent in events
 */

/**
 * @typedef {object} Refund Money of a payment that went back to the buyer
 * @property {string} id Identifier of the refund
 * @property {string} paymentId The payment: the `paymentId` of the cart, or that of a duplicate payment
 * @property {number} amount In the currency's main unit, such as `49.9`
 * @property {string} currency The currency of the `price`
 * @property {string} refundedAt Time of the refund, ISO 8601 in UTC
 */

/**
 * @typedef {object} EventPage Events of a store in one mode
 * @property {FeedEvent[]} events
 * @property {string} cursor Send it as `after` to read on. It is valid for 30 days after the response.
 * @property {boolean} hasMore Further events exist, so read on at once. A page can end before `limit`, even without
 *   any event.
 */

/**
 * @typedef {object} CartCompletedEvent A payment completed the cart. Fulfil the order.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'cart.completed'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {Cart} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} CartPaymentFailedEvent A payment failed. The buyer can try again.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'cart.payment_failed'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {Cart} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} CartAbandonedEvent The cart expired without a payment. A late payment can still complete it.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'cart.abandoned'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {Cart} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} CartDuplicatePaymentEvent A second payment of a completed cart succeeded. Do nothing: we refund it.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'cart.duplicate_payment'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {DuplicatePaymentData} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} DuplicatePaymentData The cart, and the second payment
 * @property {string} id Identifier of the cart
 * @property {string} createdAt Time of creation, ISO 8601 in UTC
 * @property {string} updatedAt Time of the last change of status or payment, ISO 8601 in UTC
 * @property {CartStatus} status
 * @property {CustomerInfo} customerInfo
 * @property {string} productDocumentId The product of the cart: compare it with your order
 * @property {string} productName The product's name at the cart's creation
 * @property {Price} price
 * @property {string} expiresAt Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC
 * @property {string} [paymentId] The payment that completed the cart, or the last one that failed
 * @property {Record<string, string>} meta The `meta` of the create request, or `{}`
 * @property {true} [latePayment] Present if the cart was `abandoned` when the payment succeeded
 * @property {string} [completedAt] Time of the payment that completed the cart, ISO 8601 in UTC
 * @property {string} [failureReason] Why the last payment failed, such as `card_declined`. Only in `payment_failed`,
 *   and only if the payment side gave a reason
 * @property {Refund[]} [refunds] The refunds of all payments of the cart, the oldest first. Absent before the first
 * @property {number} [refundedAmount] The sum of the refunds of `paymentId`, in the currency of `price`. Absent before
 *   the first. Refunds of a duplicate payment do not count
 * @property {string} [redirectUrl] Address where the buyer pays. Present in `waiting_payment` and `payment_failed`,
 *   absent in events
 * @property {string} duplicatePaymentId The second payment, which we refund. `paymentId` completed the cart.
 */

/**
 * @typedef {object} CartRefundedEvent The buyer got a refund, full or partial. The cart keeps its status.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'cart.refunded'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {RefundedData} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} RefundedData The cart, and the refund
 * @property {string} id Identifier of the cart
 * @property {string} createdAt Time of creation, ISO 8601 in UTC
 * @property {string} updatedAt Time of the last change of status or payment, ISO 8601 in UTC
 * @property {CartStatus} status
 * @property {CustomerInfo} customerInfo
 * @property {string} productDocumentId The product of the cart: compare it with your order
 * @property {string} productName The product's name at the cart's creation
 * @property {Price} price
 * @property {string} expiresAt Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC
 * @property {string} [paymentId] The payment that completed the cart, or the last one that failed
 * @property {Record<string, string>} meta The `meta` of the create request, or `{}`
 * @property {true} [latePayment] Present if the cart was `abandoned` when the payment succeeded
 * @property {string} [completedAt] Time of the payment that completed the cart, ISO 8601 in UTC
 * @property {string} [failureReason] Why the last payment failed, such as `card_declined`. Only in `payment_failed`,
 *   and only if the payment side gave a reason
 * @property {Refund[]} [refunds] The refunds of all payments of the cart, the oldest first. Absent before the first
 * @property {number} [refundedAmount] The sum of the refunds of `paymentId`, in the currency of `price`. Absent before
 *   the first. Refunds of a duplicate payment do not count
 * @property {string} [redirectUrl] Address where the buyer pays. Present in `waiting_payment` and `payment_failed`,
 *   absent in events
 * @property {Refund} refund
 */

/**
 * @typedef {object} WebhookEndpointCreatedEvent A webhook endpoint was created. If it is not yours, ask us to revoke
 *   the API key.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'webhook_endpoint.created'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {WebhookEndpointEventData} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} WebhookEndpointEventData The endpoint after the change
 * @property {string} id Identifier of the endpoint
 * @property {string} url Where the service sends events
 * @property {string[]} [eventTypes] The types of events to send. Absent: all types
 * @property {boolean} enabled Whether the service sends events to the endpoint
 * @property {string} [disabledAt] Since when the endpoint is disabled, ISO 8601 in UTC
 * @property {'merchant' | 'operator' | 'gone' | 'failing' | (string & {})} [disabledReason] Why the endpoint is
 *   disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410. `failing`: every attempt
 *   failed for five days. Later versions can add values.
 * @property {string} createdAt When the endpoint was created, ISO 8601 in UTC
 * @property {string} [createdByKeyId] The beginning of the id of the API key that created it. Absent if we created it.
 * @property {string} [changedByKeyId] The beginning of the id of the API key that made the change. Absent if we made
 *   it.
 */

/**
 * @typedef {object} WebhookEndpointUpdatedEvent A webhook endpoint got another address or other types, or was enabled
 *   or disabled.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'webhook_endpoint.updated'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {WebhookEndpointEventData} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} WebhookEndpointDisabledEvent The service disabled a webhook endpoint: `disabledReason` is `gone`
 *   or `failing`. Enable it when it works again.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'webhook_endpoint.disabled'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {WebhookEndpointEventData} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} WebhookEndpointDeletedEvent A webhook endpoint was deleted.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'webhook_endpoint.deleted'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {WebhookEndpointEventData} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} WebhookEndpointSecretRotatedEvent A webhook endpoint got another secret.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'webhook_endpoint.secret_rotated'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {WebhookEndpointEventData} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/**
 * @typedef {object} ProductList Products of a store
 * @property {Product[]} products
 * @property {string} [cursor] Send it as `after` to read on. Absent from the last page.
 * @property {boolean} hasMore Further products exist.
 */

/**
 * @typedef {object} Product A product. A fixed price is `price`. With free pricing, it has `priceRange` instead.
 * @property {string} id Identifier of the product: `productDocumentId` in a create request
 * @property {string} name The name that buyers see
 * @property {boolean} available `false`: a create request for it gets 400
 * @property {Price} [price]
 * @property {PriceRange} [priceRange]
 */

/**
 * @typedef {object} PriceRange The prices that a buyer may choose. Amounts are in the main unit
 * @property {number} minimum The lowest `customerPrice`
 * @property {number} maximum The highest `customerPrice`
 * @property {number} [suggested] The price without a `customerPrice`. If it is absent, send a `customerPrice`
 * @property {string} currency ISO 4217 code, such as `EUR`
 */

/**
 * @typedef {object} NewWebhookEndpoint
 * @property {string} url Where the service sends events: an https address with the port 443 or 8443, without user name
 *   and password. Every IP address of its host must be public. The DNS must respond for the host within 1.5 seconds.
 *   The local stage also allows http to the same machine.
 * @property {readonly EventType[] | null | undefined} [eventTypes] The types of events to send. `null` is all types,
 *   also those of later versions.
 */

/**
 * @typedef {object} CreatedWebhookEndpoint A replay has no secret. If you lost it, rotate the secret.
 * @property {WebhookEndpointConfig} webhookEndpoint
 * @property {string} [secret] Verifies the signatures of deliveries. Store it now: no other response has it.
 * @property {string} idempotencyKey Of the request
 * @property {boolean} replayed Whether an earlier request with this key created it
 */

/**
 * @typedef {object} WebhookEndpointConfig A webhook endpoint as it was configured
 * @property {string} id Identifier of the endpoint
 * @property {string} url Where the service sends events
 * @property {string[]} [eventTypes] The types of events to send. Absent: all types
 * @property {boolean} enabled Whether the service sends events to the endpoint
 * @property {string} [disabledAt] Since when the endpoint is disabled, ISO 8601 in UTC
 * @property {'merchant' | 'operator' | 'gone' | 'failing' | (string & {})} [disabledReason] Why the endpoint is
 *   disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410. `failing`: every attempt
 *   failed for five days. Later versions can add values.
 * @property {string} createdAt When the endpoint was created, ISO 8601 in UTC
 * @property {string} [createdByKeyId] The beginning of the id of the API key that created it. Absent if we created it.
 */

/**
 * @typedef {object} WebhookEndpointList
 * @property {WebhookEndpoint[]} webhookEndpoints
 */

/**
 * @typedef {object} WebhookEndpoint A webhook endpoint
 * @property {string} id Identifier of the endpoint
 * @property {string} url Where the service sends events
 * @property {string[]} [eventTypes] The types of events to send. Absent: all types
 * @property {boolean} enabled Whether the service sends events to the endpoint
 * @property {string} [disabledAt] Since when the endpoint is disabled, ISO 8601 in UTC
 * @property {'merchant' | 'operator' | 'gone' | 'failing' | (string & {})} [disabledReason] Why the endpoint is
 *   disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410. `failing`: every attempt
 *   failed for five days. Later versions can add values.
 * @property {string} createdAt When the endpoint was created, ISO 8601 in UTC
 * @property {string} [createdByKeyId] The beginning of the id of the API key that created it. Absent if we created it.
 * @property {string} [failingSince] The first failed attempt after the last success, ISO 8601 in UTC
 * @property {string} [lastSuccessAt] The last attempt that succeeded, ISO 8601 in UTC
 */

/**
 * @typedef {object} WebhookEndpointChanges
 * @property {string | null | undefined} [url] Where the service sends events: an https address with the port 443 or
 *   8443, without user name and password. Every IP address of its host must be public. The DNS must respond for the
 *   host within 1.5 seconds. The local stage also allows http to the same machine.
 * @property {readonly EventType[] | null | undefined} [eventTypes] The types of events to send. `null` is all types,
 *   also those of later versions.
 * @property {boolean | null | undefined} [enabled] `false` stops all deliveries to the endpoint. `true` resumes them,
 *   and during a pause after failures, it sends one waiting delivery at once. Events in between are not delivered:
 *   read the list of events. If we disabled the endpoint, `true` and a new address return 409.
 */

/**
 * @typedef {object} DeletedWebhookEndpoint
 * @property {string} id
 * @property {true} deleted
 */

/**
 * @typedef {object} RotatedWebhookSecret
 * @property {string} id
 * @property {string} secret Verifies the signatures of deliveries. Store it now: no other response has it.
 * @property {string} previousSecretEndsAt When the old secret no longer signs, ISO 8601 in UTC
 */

/**
 * @typedef {object} SentWebhookEvent
 * @property {string} deliveryId Identifier of the delivery in the list of deliveries
 * @property {string} eventId The `webhook-id` of the request that you receive
 */

/**
 * @typedef {object} WebhookDeliveryPage
 * @property {WebhookDelivery[]} deliveries
 * @property {string} [cursor] Send it as `after` to read on. Absent from the last page.
 * @property {boolean} hasMore Earlier deliveries exist: read on with `after`.
 */

/**
 * @typedef {object} WebhookDelivery One event for one endpoint, with its attempts
 * @property {string} id Identifier of the delivery within its endpoint
 * @property {string} eventId Identifier of the event
 * @property {string} eventType The type of the event. A test event has `webhook.ping`, or `test.` and its type.
 * @property {string} recordedAt When the service recorded the event, ISO 8601 in UTC
 * @property {'succeeded' | 'retrying' | 'waiting' | 'failed' | 'dropped' | (string & {})} status `succeeded`: the
 *   endpoint has the event. `retrying`: there will be another attempt. `waiting`: the delivery waits for the endpoint
 *   to respond to earlier requests, or to recover. `failed`: the last attempt failed. `dropped`: the endpoint was
 *   disabled. Later versions can add values.
 * @property {string} [nextAttemptAt] When the next attempt is due, ISO 8601 in UTC
 * @property {WebhookAttempt[]} attempts The last 20, the oldest first
 */

/**
 * @typedef {object} WebhookAttempt An attempt to deliver an event
 * @property {number} attempt From 1. A delivery that is sent again begins anew.
 * @property {string} at When the attempt began, ISO 8601 in UTC
 * @property {number} [status] The status of the response
 * @property {'timeout' | 'privateAddress' | 'hostNotFound' | 'connectionFailed' | 'connectionClosed' | 'tlsFailed' |
 *   'invalidResponse' | 'invalidUrl' | (string & {})} [error] Why there was no response: `timeout`, `privateAddress`,
 *   `hostNotFound`, `connectionFailed`, `connectionClosed`, `tlsFailed`, `invalidResponse`, `invalidUrl`. Later
 *   versions can add values.
 * @property {number} durationMs How long the attempt took, in milliseconds
 * @property {string} [response] The beginning of the body of the response, without secrets. Of a compressed body, only
 *   its `content-encoding`.
 */

/**
 * @typedef {object} WebhookPingEvent You test your endpoint, or an operator does. The list of events does not have
 *   this event.
 * @property {string} id Identifier of the event. A repeated delivery has the same one.
 * @property {'webhook.ping'} type
 * @property {string} timestamp When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
 *   a wrong clock, timestamps can go back.
 * @property {{}} data
 * @property {true} [test] Present if you sent the event to test an endpoint. Its data is an example: ignore it.
 */

/** @typedef {CartCompletedEvent | CartPaymentFailedEvent | CartAbandonedEvent | CartDuplicatePaymentEvent | CartRefundedEvent | WebhookEndpointCreatedEvent | WebhookEndpointUpdatedEvent | WebhookEndpointDisabledEvent | WebhookEndpointDeletedEvent | WebhookEndpointSecretRotatedEvent} FeedEvent A change of a cart or of a webhook endpoint */

/** @typedef {FeedEvent | WebhookPingEvent} WebhookEvent An event of a webhook */
// /generated

/**
 * @typedef {'NO_RESPONSE' | 'UNEXPECTED_RESPONSE'} ClientErrorCode The client's own: no response arrived, or one that is not the
 *   API's
 */

/**
 * @typedef {object} Failure
 * @property {number} [status]
 * @property {Detail[]} [details]
 * @property {string | null} [requestId]
 * @property {number} [retryAfterSeconds]
 * @property {string | null} [helpUrl]
 * @property {unknown} [cause]
 */

/**
 * @typedef {object} FetchRequest
 * @property {string} method
 * @property {Record<string, string>} headers
 * @property {string} [body]
 * @property {'manual'} redirect
 * @property {any} signal
 *
 * @typedef {object} FetchResponse
 * @property {number} status
 * @property {{ get(name: string): string | null }} headers
 * @property {() => Promise<string>} text
 */

/**
 * @typedef {object} Options
 * @property {string | undefined} baseUrl the stage's address
 * @property {string | undefined} apiKey
 * @property {number | null | undefined} [timeoutSeconds] the longest time of one request; 10 by default
 * @property {number | null | undefined} [retriesMax] 5 by default
 * @property {number | null | undefined} [deadlineSeconds] no retry of a call begins later; 60 by default
 * @property {((url: string, request: FetchRequest) => Promise<FetchResponse>) | null | undefined} [fetch] sends the requests,
 *   for example through a proxy; the `fetch` of Node.js by default
 * @property {(() => number) | null | undefined} [random] from 0 to 1; this and the next two are for tests
 * @property {((seconds: number, signal?: any) => Promise<unknown>) | null | undefined} [sleep]
 * @property {(() => number) | null | undefined} [now] in seconds; it never runs backwards
 */

/**
 * @typedef {object} CallOptions The options of every call
 * @property {number | null | undefined} [timeoutSeconds] the longest time of one request
 * @property {{ readonly aborted: boolean } | null | undefined} [signal] an `AbortSignal`: it ends the call, which then throws
 *   its reason
 */

/**
 * @typedef {object} CreateOptions
 * @property {string | null | undefined} [idempotencyKey] by default, a new one
 */

/**
 * @typedef {object} FeedOptions
 * @property {string | null | undefined} [after] the cursor of the last page; without it, from the oldest event on
 * @property {number | null | undefined} [limit] the most events of a page
 */

/**
 * @typedef {object} ProductOptions
 * @property {string | null | undefined} [after] the cursor of the last page; without it, from the first product on
 * @property {number | null | undefined} [limit] the most products of a page
 */

/**
 * @typedef {object} DeliveryOptions
 * @property {string | null | undefined} [after] the cursor of the last page; without it, from the latest delivery on
 * @property {string | null | undefined} [before] instead of `after`: a time, such as the `recordedAt` of a delivery
 * @property {number | null | undefined} [limit] the most deliveries of a page
 */

/** @typedef {{ get(name: string): string | null } | Readonly<Record<string, string | string[] | undefined>>} WebhookHeaders */

/**
 * @typedef {object} Call
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {boolean} [isRepeatable] by default, a retry is safe after each error; otherwise only after a 429
 * @property {number} [endsAt]
 */

/** @typedef {{ response: FetchResponse, body: any }} Received */

const WEBHOOK_TOLERANCE_SECONDS = 300;

/** A call that failed. Decide by `status` and `code`. */
export class CartCheckoutError extends Error {
  /**
   * @param {ErrorCode | ClientErrorCode} code
   * @param {string} message
   * @param {Failure} [failure]
   */
  constructor(code, message, failure = {}) {
    const {
      status = 0,
      details = [],
      requestId = null,
      retryAfterSeconds = 0,
      helpUrl = null,
      cause,
    } = failure;
    const issues = details.map((each) => `; ${each.path === '' ? '' : `${each.path}: `}${each.message}`);
    const request = requestId === null ? '' : ` (request ${requestId})`;
    super(`${code}: ${message}${issues.join('')}${request}${helpUrl === null ? '' : `; see ${helpUrl}`}`, {
      cause,
    });
    this.name = 'CartCheckoutError';
    this.code = code;
    /** The HTTP status, or 0 without a response. */
    this.status = status;
    /** The validation issues. */
    this.details = details;
    /** Send it to us when you report a problem. */
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    /** The address of a page about the error, or null. */
    this.helpUrl = helpUrl;
    /** Whether the same call can succeed later. A 2xx is an error only if its body is incomplete. */
    this.retryable = status < 300 || status === 408 || status === 429 || status >= 500;
  }
}

/** A webhook that the service did not sign within the last five minutes. Respond with 400 and the message, which has no secret. */
export class WebhookVerificationError extends Error {
  /** @override */
  name = 'WebhookVerificationError';
}

/**
 * Whether this version knows the type of an event. Ignore the events of other types: later versions of the API send them.
 *
 * @param {{ type: string }} event
 * @returns {event is WebhookEvent}
 */
export const isKnownEvent = (event) =>
  event.type === 'webhook.ping' || EVENT_TYPES.some((type) => type === event.type);

/**
 * Names the kind of a value without the value, which may be a secret.
 *
 * @param {unknown} value
 */
const kindOf = (value) => {
  if (value === null || value === undefined || Number.isNaN(value)) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name = value.constructor?.name ?? 'Object';
  return name === 'Object' ? 'an object' : `an object of the class ${name}`;
};

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {string}
 * @throws {TypeError} without the value, which may be a secret
 */
const textOf = (name, value) => {
  if (value === undefined || value === null || value === '') throw new TypeError(`${name} is missing`);
  if (typeof value !== 'string') throw new TypeError(`${name} is ${kindOf(value)}, not a string`);
  if (value !== value.trim()) throw new TypeError(`${name} begins or ends with white space`);
  return value;
};

/**
 * @param {string} name
 * @param {unknown} value of a setting, such as an environment variable
 */
const settingOf = (name, value) => {
  const text = textOf(name, value);
  if (/^["'].*["']$/s.test(text)) throw new TypeError(`${name} is in quotes`);
  return text;
};

/**
 * @param {string} name
 * @param {unknown} value
 */
const checkNumber = (name, value) => {
  if (typeof value === 'number' && value >= 0) return;
  throw new TypeError(
    `${name} is ${typeof value === 'number' ? value : kindOf(value)}, not a number of at least 0`,
  );
};

/**
 * Whether an object has fields that nobody could read, such as a `Map`: JSON has `{}` for it.
 *
 * @param {object} value
 */
const isOpaque = (value) => {
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return Object.keys(value).length === 0 && !isPlain && !('toJSON' in value);
};

/**
 * The options that have a value.
 *
 * @template {object} T
 * @param {string} method
 * @param {T | null | undefined} given
 * @param {readonly (keyof T & string)[]} names
 * @returns {{ [Name in keyof T]?: NonNullable<T[Name]> }}
 * @throws {TypeError} if it is no object, or has an unknown option
 */
const optionsOf = (method, given, names) => {
  if (given === undefined || given === null) return {};
  const known = `Its options: ${names.join(', ')}.`;
  if (typeof given !== 'object' || Array.isArray(given) || isOpaque(given)) {
    throw new TypeError(`The options of ${method} are ${kindOf(given)}, not an object. ${known}`);
  }
  const unknown = Object.keys(given).find((name) => !names.some((each) => each === name));
  if (unknown !== undefined) throw new TypeError(`${method} has no option ${unknown}. ${known}`);
  const present = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  for (const [name, value] of present) if (/Seconds$|Max$|^limit$/.test(name)) checkNumber(name, value);
  return /** @type {any} */ (Object.fromEntries(present));
};

/** @type {readonly (keyof CallOptions)[]} */
const CALL = ['timeoutSeconds', 'signal'];

/** @type {readonly (keyof Options)[]} */
const CONSTRUCTOR = [
  'baseUrl',
  'apiKey',
  'timeoutSeconds',
  'retriesMax',
  'deadlineSeconds',
  'fetch',
  'random',
  'sleep',
  'now',
];

/**
 * Rejects what JSON would change unnoticed: NaN and infinite numbers to null, a `Map` to `{}`.
 *
 * @param {string} path
 * @param {unknown} value
 */
const checkJson = (path, value) => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${path} is ${value}`);
  if (['function', 'symbol', 'bigint'].includes(typeof value))
    throw new TypeError(`${path} is a ${typeof value}`);
  if (typeof value !== 'object' || value === null) return;
  if (isOpaque(value)) throw new TypeError(`${path} is ${kindOf(value)}: pass a plain object`);
  for (const [name, each] of Object.entries(value)) checkJson(`${path}.${name}`, each);
};

/**
 * @param {string} method
 * @param {string} name of the argument, for the error
 * @param {object} content
 * @returns {Call}
 */
const jsonRequest = (method, name, content) => {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new TypeError(`${name} is ${kindOf(content)}, not an object`);
  }
  checkJson(name, content);
  return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(content) };
};

/**
 * @param {string} text
 * @returns {any} `undefined` if it is not JSON
 */
const parseJson = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const PRODUCTS_PATH = '/api/v1/stores/products';

const ENDPOINTS_PATH = '/api/v1/stores/webhook-endpoints';

/**
 * @param {string} name of the id, for the error
 * @param {string} id
 */
const segmentOf = (name, id) => {
  const text = textOf(name, id);
  if (/^\.{1,2}$/.test(text)) throw new TypeError(`${name} is malformed`);
  return `/${encodeURIComponent(text)}`;
};

/** @param {string} cartId */
const pathOf = (cartId) => `/api/v1/stores/cart${segmentOf('cartId', cartId)}`;

/** @param {string} endpointId */
const endpointPathOf = (endpointId) => ENDPOINTS_PATH + segmentOf('endpointId', endpointId);

/** @param {Record<string, string | number | undefined>} parameters */
const queryOf = (parameters) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') throw new TypeError(`${name} is empty`);
    if (value !== undefined) query.set(name, String(value));
  }
  return `?${query.toString()}`;
};

/**
 * The seconds of `Retry-After`: a number, or a date by the clock of the response.
 *
 * @param {FetchResponse['headers']} headers
 */
const retryAfterOf = (headers) => {
  const text = headers.get('Retry-After') ?? '';
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  if (!text.endsWith('GMT')) return 0;
  const now = Date.parse(headers.get('Date') ?? '') || Date.now();
  return Math.max(0, (Date.parse(text) - now) / 1000 || 0);
};

/** @param {any} detail */
const isDetail = (detail) => typeof detail?.path === 'string' && typeof detail.message === 'string';

/**
 * @param {string} baseUrl
 * @param {Received} received
 */
const errorOf = (baseUrl, { response: { status, headers }, body }) => {
  const requestId = headers.get('X-Request-Id');
  const [, helpUrl = null] = /<([^<>]+)>\s*;\s*rel="?help"?/.exec(headers.get('Link') ?? '') ?? [];
  const failure = { status, requestId, retryAfterSeconds: retryAfterOf(headers), helpUrl };
  if (status < 300 || typeof body?.code !== 'string' || typeof body.message !== 'string') {
    const message = `The ${status} of ${baseUrl} is not a response of the API`;
    return new CartCheckoutError('UNEXPECTED_RESPONSE', message, failure);
  }
  const given = Array.isArray(body.details) ? body.details.filter(isDetail) : [];
  const details = given.map((/** @type {Detail} */ each) => ({
    path: each.path.toWellFormed(),
    message: each.message.toWellFormed(),
  }));
  return new CartCheckoutError(body.code, body.message.toWellFormed(), { ...failure, details });
};

/**
 * @param {WebhookHeaders} headers
 * @param {string} name in lower case
 * @throws {WebhookVerificationError} if there is no such header
 */
const headerOf = (headers, name) => {
  if (typeof headers !== 'object' || headers === null) {
    throw new TypeError(`headers is ${kindOf(headers)}: pass the headers of the request`);
  }
  const entries = typeof headers.get === 'function' ? [[name, headers.get(name)]] : Object.entries(headers);
  const [, value] = entries.find(([given]) => String(given).toLowerCase() === name) ?? [];
  if (value === undefined || value === null || value === '') {
    throw new WebhookVerificationError(`There is no header ${name}`);
  }
  return String(value);
};

/**
 * A key has at least 24 bytes, so a missing variable is no key: `undefined` alone would be valid base64.
 *
 * @param {string} secret
 */
const signingKeyOf = (secret) => {
  const text = settingOf('secret', secret);
  if (text.startsWith('cck_'))
    throw new TypeError('secret is an API key: pass the secret of the endpoint, whsec_...');
  const [, base64] = /^(?:whsec_)?([A-Za-z0-9+/]{32,})={0,2}$/.exec(text) ?? [];
  // No number of bytes has such a length.
  if (base64 === undefined || base64.length % 4 === 1) throw new TypeError('secret is malformed');
  return Buffer.from(base64, 'base64');
};

/** @param {string | ArrayBuffer | ArrayBufferView} rawBody */
const bytesOf = (rawBody) => {
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (isAnyArrayBuffer(rawBody)) return Buffer.from(rawBody);
  if (ArrayBuffer.isView(rawBody)) return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  throw new TypeError(
    `rawBody is ${kindOf(rawBody)}: pass the bytes as they arrived, not parsed. In Express, they are \`request.body\` with ` +
      "`express.raw({ type: 'application/json' })`; in a handler of the Fetch API, `await request.text()`",
  );
};

/** A client of one stage with one API key. */
export class CartCheckout {
  // Private fields: neither `inspect` nor JSON shows the key.
  /** @type {string} */
  #baseUrl;
  /** @type {string} */
  #apiKey;
  #options;

  /**
   * @param {Options} options
   * @throws {Error} in a browser
   * @throws {TypeError} if an option is missing, malformed or unknown
   */
  constructor(options) {
    if ('window' in globalThis || 'document' in globalThis) {
      throw new Error('The API key is a secret. Use CartCheckout on your server, never in a browser.');
    }
    const { baseUrl, apiKey, ...given } = optionsOf('CartCheckout', options, CONSTRUCTOR);
    this.#baseUrl = settingOf('baseUrl', baseUrl).replace(/\/$/, '');
    if (!/^https?:\/\/[^\s@]+$/.test(this.#baseUrl)) {
      throw new TypeError('baseUrl is malformed: pass an address such as https://api.example.com');
    }
    this.#apiKey = settingOf('apiKey', apiKey);
    if (this.#apiKey.startsWith('whsec_'))
      throw new TypeError('apiKey is the secret of a webhook endpoint: pass cck_...');
    if (!/^[!-~]+$/.test(this.#apiKey)) throw new TypeError('apiKey is malformed');
    this.#options = {
      timeoutSeconds: 10,
      retriesMax: 5,
      deadlineSeconds: 60,
      // Looked up at each request: a test can replace it.
      fetch: /** @type {NonNullable<Options['fetch']>} */ ((url, request) => fetch(url, request)),
      random: Math.random,
      /** @type {NonNullable<Options['sleep']>} */
      sleep: (seconds, signal) => delay(1000 * seconds, undefined, { signal }),
      now: () => performance.now() / 1000,
      ...given,
    };
  }

  /**
   * Creates a cart. All requests of the call have one `Idempotency-Key`, so they create one cart. Better store an
   * `idempotencyKey` with the order before the call, and pass it. You can then repeat the call after a crash.
   *
   * @param {NewCart} cart
   * @param {CreateOptions & CallOptions | null} [options]
   * @returns {Promise<Checkout>}
   * @throws {CartCheckoutError}
   */
  async createCart(cart, options) {
    const given = optionsOf('createCart', options, ['idempotencyKey', ...CALL]);
    return this.#create(
      '/api/v1/stores/cart/checkout',
      'redirectUrl',
      jsonRequest('POST', 'cart', cart),
      given,
    );
  }

  /**
   * @param {string} cartId
   * @param {CallOptions | null} [options]
   * @returns {Promise<Cart>}
   * @throws {CartCheckoutError}
   */
  async retrieveCart(cartId, options) {
    return (await this.#retrieve(cartId, optionsOf('retrieveCart', options, CALL))).body;
  }

  /**
   * Ends a cart that waits for payment: it becomes `abandoned`.
   *
   * @param {string} cartId
   * @param {CallOptions | null} [options]
   * @returns {Promise<Cart>}
   * @throws {CartCheckoutError} `CART_COMPLETED` or `CART_PAYMENT_FAILED` if it has a payment
   */
  async expireCart(cartId, options) {
    const given = optionsOf('expireCart', options, CALL);
    return (await this.#call(`${pathOf(cartId)}/expire`, 'id', { method: 'POST' }, given)).body;
  }

  /**
   * Retrieves a cart at growing intervals, until it has one of the statuses or the deadline is over.
   *
   * @param {string} cartId
   * @param {{ statuses?: readonly CartStatus[] | null | undefined, deadlineSeconds?: number | null | undefined } & CallOptions | null} [options]
   *   by default, each status except `waiting_payment`, and 30 seconds
   * @returns {Promise<Cart>} as last retrieved: check its status
   * @throws {CartCheckoutError}
   */
  async waitForStatus(cartId, options) {
    const given = optionsOf('waitForStatus', options, ['statuses', 'deadlineSeconds', ...CALL]);
    const {
      statuses = ['completed', 'payment_failed', 'abandoned'],
      deadlineSeconds = 30,
      ...callOptions
    } = given;
    if (!Array.isArray(statuses)) throw new TypeError(`statuses is ${kindOf(statuses)}, not an array`);
    const endsAt = this.#options.now() + deadlineSeconds;
    let latest;
    for (let pauseSeconds = 1; ; pauseSeconds = Math.min(2 * pauseSeconds, 8)) {
      try {
        latest = await this.#retrieve(cartId, callOptions, latest, endsAt);
      } catch (error) {
        if (!latest || !(error instanceof CartCheckoutError && error.retryable)) throw error;
      }
      const leftSeconds = endsAt - this.#options.now();
      if (leftSeconds <= 0 || statuses.includes(latest.body.status)) return latest.body;
      await this.#sleep(Math.min(pauseSeconds, leftSeconds), callOptions);
    }
  }

  /**
   * Reads one page of the store's products, also those that are not available.
   *
   * @param {ProductOptions & CallOptions | null} [options]
   * @returns {Promise<ProductList>}
   * @throws {CartCheckoutError}
   */
  async listProducts(options) {
    const { after, limit, ...given } = optionsOf('listProducts', options, ['after', 'limit', ...CALL]);
    return (await this.#call(PRODUCTS_PATH + queryOf({ after, limit }), 'products', {}, given)).body;
  }

  /**
   * Reads the store's products to the end, page by page.
   *
   * @param {ProductOptions & CallOptions | null} [options]
   * @returns {AsyncGenerator<ProductList, void, void>}
   * @throws {CartCheckoutError}
   */
  async *productPages(options) {
    const { after, ...given } = optionsOf('productPages', options, ['after', 'limit', ...CALL]);
    for (let [cursor, hasMore] = [after, true]; hasMore;) {
      const page = await this.listProducts({ after: cursor, ...given });
      yield page;
      ({ cursor, hasMore } = page);
    }
  }

  /**
   * @param {string} productDocumentId
   * @param {CallOptions | null} [options]
   * @returns {Promise<Product>}
   * @throws {CartCheckoutError}
   */
  async retrieveProduct(productDocumentId, options) {
    const given = optionsOf('retrieveProduct', options, CALL);
    const path = PRODUCTS_PATH + segmentOf('productDocumentId', productDocumentId);
    return (await this.#call(path, 'id', {}, given)).body;
  }

  /**
   * Reads one page of the feed: the events after a cursor, or the oldest ones.
   *
   * @param {FeedOptions & CallOptions | null} [options]
   * @returns {Promise<EventPage>} Check each event with `isKnownEvent`: later versions of the API send events of other types
   * @throws {CartCheckoutError} with the status 422, if the feed no longer keeps the events after the cursor
   */
  async listEvents(options) {
    const { after, limit, ...given } = optionsOf('listEvents', options, ['after', 'limit', ...CALL]);
    return (await this.#call(`/api/v1/stores/events${queryOf({ after, limit })}`, 'events', {}, given)).body;
  }

  /**
   * Reads the feed to its end, page by page.
   *
   * @param {FeedOptions & CallOptions | null} [options]
   * @returns {AsyncGenerator<EventPage, void, void>}
   * @throws {CartCheckoutError} as `listEvents`
   */
  async *eventPages(options) {
    const given = optionsOf('eventPages', options, ['after', 'limit', ...CALL]);
    for (let hasMore = true; hasMore;) {
      const page = await this.listEvents(given);
      yield page;
      ({ cursor: given.after, hasMore } = page);
    }
  }

  /**
   * Creates a webhook endpoint. All requests of the call have one `Idempotency-Key`, so they create one endpoint.
   *
   * @param {NewWebhookEndpoint} endpoint
   * @param {CreateOptions & CallOptions | null} [options]
   * @returns {Promise<CreatedWebhookEndpoint>} without `secret`, if an earlier request of the call already created it
   * @throws {CartCheckoutError}
   */
  async createWebhookEndpoint(endpoint, options) {
    const given = optionsOf('createWebhookEndpoint', options, ['idempotencyKey', ...CALL]);
    return this.#create(ENDPOINTS_PATH, 'webhookEndpoint', jsonRequest('POST', 'endpoint', endpoint), given);
  }

  /**
   * @param {CallOptions | null} [options]
   * @returns {Promise<WebhookEndpointList>} all of the key's store and mode, oldest first
   * @throws {CartCheckoutError}
   */
  async listWebhookEndpoints(options) {
    const given = optionsOf('listWebhookEndpoints', options, CALL);
    return (await this.#call(ENDPOINTS_PATH, 'webhookEndpoints', {}, given)).body;
  }

  /**
   * @param {string} endpointId
   * @param {CallOptions | null} [options]
   * @returns {Promise<WebhookEndpoint>}
   * @throws {CartCheckoutError}
   */
  async retrieveWebhookEndpoint(endpointId, options) {
    const given = optionsOf('retrieveWebhookEndpoint', options, CALL);
    return (await this.#call(endpointPathOf(endpointId), 'id', {}, given)).body;
  }

  /**
   * @param {string} endpointId
   * @param {WebhookEndpointChanges} changes an absent field stays as it is
   * @param {CallOptions | null} [options]
   * @returns {Promise<WebhookEndpoint>}
   * @throws {CartCheckoutError}
   */
  async updateWebhookEndpoint(endpointId, changes, options) {
    const given = optionsOf('updateWebhookEndpoint', options, CALL);
    const request = jsonRequest('PATCH', 'changes', changes);
    return (await this.#call(endpointPathOf(endpointId), 'id', request, given)).body;
  }

  /**
   * @param {string} endpointId
   * @param {CallOptions | null} [options]
   * @returns {Promise<DeletedWebhookEndpoint>}
   * @throws {CartCheckoutError} `WEBHOOK_ENDPOINT_NOT_FOUND` also if an earlier request of the call deleted it
   */
  async deleteWebhookEndpoint(endpointId, options) {
    const given = optionsOf('deleteWebhookEndpoint', options, CALL);
    return (await this.#call(endpointPathOf(endpointId), 'deleted', { method: 'DELETE' }, given)).body;
  }

  /**
   * Replaces the secret of an endpoint. The client retries it only after a 429: a second rotation would end the secret that
   * your receiver has.
   *
   * @param {string} endpointId
   * @param {{ overlapSeconds?: number | null | undefined } & CallOptions | null} [options] how long both secrets sign; a day by
   *   default
   * @returns {Promise<RotatedWebhookSecret>}
   * @throws {CartCheckoutError}
   */
  async rotateWebhookSecret(endpointId, options) {
    const { overlapSeconds, ...given } = optionsOf('rotateWebhookSecret', options, [
      'overlapSeconds',
      ...CALL,
    ]);
    const request = { ...jsonRequest('POST', 'options', { overlapSeconds }), isRepeatable: false };
    return (await this.#call(`${endpointPathOf(endpointId)}/rotate-secret`, 'secret', request, given)).body;
  }

  /**
   * Sends a test event to an endpoint. Its result appears in the list of deliveries.
   *
   * @param {string} endpointId
   * @param {{ eventType?: string | null | undefined } & CallOptions | null} [options] the type of the event, in test mode; a
   *   `webhook.ping` by default
   * @returns {Promise<SentWebhookEvent>}
   * @throws {CartCheckoutError}
   */
  async testWebhookEndpoint(endpointId, options) {
    const { eventType, ...given } = optionsOf('testWebhookEndpoint', options, ['eventType', ...CALL]);
    const path = `${endpointPathOf(endpointId)}/test${queryOf({ eventType })}`;
    return (await this.#call(path, 'deliveryId', { method: 'POST' }, given)).body;
  }

  /**
   * Lists one page of the deliveries of an endpoint, the latest event first.
   *
   * @param {string} endpointId
   * @param {DeliveryOptions & CallOptions | null} [options]
   * @returns {Promise<WebhookDeliveryPage>}
   * @throws {CartCheckoutError}
   */
  async listWebhookDeliveries(endpointId, options) {
    const { after, before, limit, ...given } = optionsOf('listWebhookDeliveries', options, [
      'after',
      'before',
      'limit',
      ...CALL,
    ]);
    const path = `${endpointPathOf(endpointId)}/deliveries${queryOf({ after, before, limit })}`;
    return (await this.#call(path, 'deliveries', {}, given)).body;
  }

  /**
   * Reads all deliveries of an endpoint, page by page, the latest event first.
   *
   * @param {string} endpointId
   * @param {DeliveryOptions & CallOptions | null} [options]
   * @returns {AsyncGenerator<WebhookDeliveryPage, void, void>}
   * @throws {CartCheckoutError}
   */
  async *webhookDeliveryPages(endpointId, options) {
    const { after, before, ...given } = optionsOf('webhookDeliveryPages', options, [
      'after',
      'before',
      'limit',
      ...CALL,
    ]);
    for (let [start, hasMore] = [{ after, before }, true]; hasMore;) {
      const page = await this.listWebhookDeliveries(endpointId, { ...start, ...given });
      yield page;
      start = { after: page.cursor, before: undefined };
      hasMore = page.hasMore && page.cursor !== undefined;
    }
  }

  /**
   * Sends the event of a delivery again.
   *
   * @param {string} endpointId
   * @param {string} deliveryId
   * @param {CallOptions | null} [options]
   * @returns {Promise<SentWebhookEvent>}
   * @throws {CartCheckoutError}
   */
  async resendWebhookDelivery(endpointId, deliveryId, options) {
    const given = optionsOf('resendWebhookDelivery', options, CALL);
    const path = `${endpointPathOf(endpointId)}/deliveries${segmentOf('deliveryId', deliveryId)}/resend`;
    return (await this.#call(path, 'deliveryId', { method: 'POST' }, given)).body;
  }

  /**
   * Verifies a webhook (Standard Webhooks).
   *
   * @param {string | readonly string[]} secret `whsec_...`, or several during a rotation
   * @param {WebhookHeaders} headers
   * @param {string | ArrayBuffer | ArrayBufferView} rawBody the body as it arrived, not parsed and serialised again
   * @param {{ nowSeconds?: number | null | undefined } | null} [options] the Unix time, for tests
   * @returns {WebhookEvent} Check it with `isKnownEvent`: later versions of the API send events of other types
   * @throws {WebhookVerificationError} if the service did not sign it within five minutes
   * @throws {TypeError} if the secret is malformed, or the body is parsed
   */
  static verifyWebhook(secret, headers, rawBody, options) {
    const { nowSeconds = Date.now() / 1000 } = optionsOf('verifyWebhook', options, ['nowSeconds']);
    const secrets = typeof secret === 'string' ? [secret] : [...(secret ?? [])];
    const keys = (secrets.length === 0 ? [''] : secrets).map(signingKeyOf);
    const body = bytesOf(rawBody);
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      headerOf(headers, name),
    );
    if (!/^\d{1,12}$/.test(timestamp))
      throw new WebhookVerificationError('webhook-timestamp is no Unix time');
    const ageSeconds = Math.round(nowSeconds - Number(timestamp));
    if (Math.abs(ageSeconds) > WEBHOOK_TOLERANCE_SECONDS) {
      const side = ageSeconds > 0 ? 'behind' : 'ahead of';
      throw new WebhookVerificationError(
        `webhook-timestamp is ${Math.abs(ageSeconds)} s ${side} this clock, which is more than ${WEBHOOK_TOLERANCE_SECONDS} s`,
      );
    }
    const given = signatures.split(' ').map((signature) => Buffer.from(signature));
    const isSigned = keys.some((key) => {
      const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
      const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
      return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
    });
    if (!isSigned) {
      const digest = createHash('sha256').update(body).digest('hex');
      throw new WebhookVerificationError(
        'No signature is valid for this secret and body: is it the secret of another endpoint, or was the body parsed and ' +
          `serialised again? SHA-256 of the body: ${digest}`,
      );
    }
    return JSON.parse(body.toString());
  }

  toString() {
    return `CartCheckout(${this.#baseUrl})`;
  }

  /**
   * Sends a creation. All its requests have one `Idempotency-Key`.
   *
   * @param {string} path
   * @param {string} member a member of a complete response
   * @param {Call} request
   * @param {{ idempotencyKey?: string } & CallOptions} options
   */
  async #create(path, member, request, { idempotencyKey = randomUUID(), ...options }) {
    // HTTP strips white space at the ends of a header.
    if (!/^[ -~]{1,255}$/.test(textOf('idempotencyKey', idempotencyKey))) {
      throw new TypeError('idempotencyKey is malformed: 1 to 255 printable ASCII characters');
    }
    const headers = { ...request.headers, 'Idempotency-Key': idempotencyKey };
    const { response, body } = await this.#call(path, member, { ...request, headers }, options);
    return { ...body, idempotencyKey, replayed: response.headers.get('Idempotent-Replayed') === 'true' };
  }

  /**
   * Retrieves a cart. If it has not changed since `latest`, the response has no body.
   *
   * @param {string} cartId
   * @param {CallOptions} options
   * @param {{ body: Cart, etag: string | null }} [latest]
   * @param {number} [endsAt]
   * @returns {Promise<{ body: Cart, etag: string | null }>}
   */
  async #retrieve(cartId, options, latest, endsAt) {
    /** @type {Record<string, string>} */
    const headers = latest?.etag ? { 'If-None-Match': latest.etag } : {};
    const request = endsAt === undefined ? { headers } : { headers, endsAt };
    const { response, body } = await this.#call(pathOf(cartId), 'id', request, options);
    return latest && response.status === 304 ? latest : { body, etag: response.headers.get('ETag') };
  }

  /**
   * @param {number} seconds
   * @param {CallOptions} options
   */
  async #sleep(seconds, { signal }) {
    const { sleep } = this.#options;
    const aborting = /** @type {AbortSignal | null | undefined} */ (signal);
    if (!aborting) return sleep(seconds);
    aborting.throwIfAborted();
    const over = new AbortController();
    const aborted = new Promise((_, reject) => {
      aborting.addEventListener('abort', () => reject(aborting.reason), { signal: over.signal });
    });
    return Promise.race([aborted, sleep(seconds, aborting)]).finally(() => over.abort());
  }

  /**
   * Sends a request until it succeeds, cannot succeed, or its retries or its time are used up.
   *
   * @param {string} path
   * @param {string} member a member of a complete response
   * @param {Call} request
   * @param {CallOptions} options
   */
  async #call(path, member, request, options) {
    const { retriesMax, deadlineSeconds, random, now } = this.#options;
    const { isRepeatable = true, endsAt = now() + deadlineSeconds, ...sent } = request;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#send(path, member, sent, options);
      } catch (error) {
        if (!(error instanceof CartCheckoutError && error.retryable) || retries >= retriesMax) throw error;
        if (!isRepeatable && error.status !== 429) throw error;
        // The random part spreads the retries of clients that failed at the same time.
        const pauseSeconds = error.retryAfterSeconds + random() * 0.5 * 2 ** retries;
        if (now() + pauseSeconds > endsAt) throw error;
        await this.#sleep(pauseSeconds, options);
      }
    }
  }

  /**
   * Sends a request once.
   *
   * @param {string} path
   * @param {string} member a member of a complete response
   * @param {Pick<Call, 'method' | 'headers' | 'body'>} request
   * @param {CallOptions} options
   * @returns {Promise<Received>}
   * @throws {CartCheckoutError} unless a complete response of the API reports success
   */
  async #send(path, member, { method = 'GET', headers: given = {}, ...request }, { signal, timeoutSeconds }) {
    const headers = {
      ...given,
      Authorization: `Bearer ${this.#apiKey}`,
      'User-Agent': `cart-checkout-node/${VERSION}`,
    };
    const limitSeconds = timeoutSeconds ?? this.#options.timeoutSeconds;
    // A timer of Node.js has at most 31 bits, and would end at once beyond.
    const limit = AbortSignal.timeout(Math.min(1000 * limitSeconds, 2 ** 31 - 1));
    const aborting = /** @type {AbortSignal | null | undefined} */ (signal);
    const signals = aborting ? AbortSignal.any([aborting, limit]) : limit;
    let response;
    let text;
    try {
      response = await this.#options.fetch(this.#baseUrl + path, {
        ...request,
        method,
        headers,
        redirect: 'manual',
        signal: signals,
      });
      text = await response.text();
    } catch (error) {
      aborting?.throwIfAborted();
      throw this.#noResponse(/** @type {Error} */ (error), limit.aborted ? limitSeconds : undefined);
    }
    const body = parseJson(text);
    const isUnchanged = response.status === 304 && given['If-None-Match'] !== undefined;
    const isSuccess = response.status >= 200 && response.status < 300;
    if (isUnchanged || (isSuccess && body instanceof Object && member in body)) return { response, body };
    throw errorOf(this.#baseUrl, { response, body });
  }

  /**
   * The request may have arrived. `#call` knows whether a retry is safe.
   *
   * @param {Error & { cause?: any }} error
   * @param {number} [limitSeconds] the time limit, if it ended the request
   */
  #noResponse(error, limitSeconds) {
    const reason =
      limitSeconds === undefined
        ? (error.cause?.code ?? error.cause?.message ?? error.message)
        : `time limit of ${limitSeconds} s`;
    const isPlain = /WRONG_VERSION|PACKET_LENGTH/.test(reason) ? '. Does this address use http?' : '';
    return new CartCheckoutError('NO_RESPONSE', `${this.#baseUrl}: ${reason}${isPlain}`, { cause: error });
  }
}
