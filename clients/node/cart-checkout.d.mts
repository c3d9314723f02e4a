// SPDX-License-Identifier: MIT-0
/** The types of events that this version knows. Later versions of the API can add types. */
export declare const EVENT_TYPES: readonly ['cart.completed', 'cart.payment_failed', 'cart.abandoned', 'cart.duplicate_payment', 'cart.refunded', 'webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.disabled', 'webhook_endpoint.deleted', 'webhook_endpoint.secret_rotated'];
export type EventType = typeof EVENT_TYPES[number];
export type NewCart = {
    /**
     * Identifier of the product
     */
    productDocumentId: string;
    /**
     * Buyer's e-mail, trimmed before the check.
     */
    email: string;
    /**
     * Buyer's first name, trimmed before the check.
     */
    firstName: string;
    /**
     * Buyer's last name, trimmed before the check.
     */
    lastName: string;
    /**
     * Buyer's telephone number. An empty one counts as absent.
     */
    phone?: string | null | undefined;
    /**
     * The buyer's language and region, such as `fr-CA`. It comes before the
     * header `Accept-Language`.
     */
    lang?: string | null | undefined;
    /**
     * Where the buyer returns after payment: an absolute http or https
     * URL without user name and password. The service replaces each `{CART_ID}` in it with the id of the cart, and
     * rejects other placeholders. Without `{CART_ID}`, or if the query has a `status`, it sets `cartId` and `status` in
     * the query, in place of your own. Note the spelling: the response has `redirectUrl`.
     */
    redirectURL?: string | null | undefined;
    /**
     * Where a buyer goes who leaves the payment page without a payment,
     * by the rules of `redirectURL`. Default: the `redirectURL`.
     */
    cancelURL?: string | null | undefined;
    /**
     * Custom metadata, at most 125 KiB as JSON. The retrieved
     * cart contains it. An empty array counts as `{}`.
     */
    meta?: Record<string, string> | null | undefined;
    /**
     * How long the buyer can pay, in whole minutes. Default and
     * maximum: the stage's time, usually 1440.
     */
    expiresInMinutes?: number | null | undefined;
    /**
     * The buyer's price for a free-pricing product, in the
     * currency's main unit, at least its minimum. At most 15 digits, the currency's decimals included: at most
     * 9999999999999.99 EUR. Default: the product's suggested price. Without one, the field is required. For a
     * fixed-price product, send the exact price or none.
     */
    customerPrice?: number | null | undefined;
};
export type Checkout = {
    cart: CreatedCart;
    /**
     * Address to which you redirect the buyer to pay. Note the spelling: the request has
     * `redirectURL`.
     */
    redirectUrl: string;
    /**
     * Of the request
     */
    idempotencyKey: string;
    /**
     * Whether an earlier request with this key created it
     */
    replayed: boolean;
};
export type CreatedCart = {
    /**
     * Identifier of the cart
     */
    id: string;
    /**
     * Time of creation, ISO 8601 in UTC
     */
    createdAt: string;
    /**
     * Time of the last change of status or payment, ISO 8601 in UTC
     */
    updatedAt: string;
    status: CartStatus;
    customerInfo: CustomerInfo;
    /**
     * The product of the cart: compare it with your order
     */
    productDocumentId: string;
    /**
     * The product's name at the cart's creation
     */
    productName: string;
    price: Price;
    /**
     * Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC
     */
    expiresAt: string;
};
export type CartStatus = 'waiting_payment' | 'completed' | 'abandoned' | 'payment_failed';
export type CustomerInfo = {
    firstName?: string;
    lastName?: string;
    email?: string;
    phone?: string;
    /**
     * Such as `fr-CA`
     */
    lang?: string;
};
export type Price = {
    /**
     * In the currency's main unit, such as `49.9`
     */
    amount: number;
    /**
     * ISO 4217 code, such as `EUR`
     */
    currency: string;
};
export type ErrorCode = 'INVALID_PRODUCT' | 'INVALID_API_KEY' | 'VALIDATION_ERROR' | 'RATE_LIMITED' | 'CART_COMPLETED' | 'CART_PAYMENT_FAILED' | 'IDEMPOTENCY_KEY_REUSED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_DELIVERY_NOT_FOUND' | 'TOO_MANY_WEBHOOK_ENDPOINTS' | 'WEBHOOK_ENDPOINT_DISABLED' | 'WEBHOOK_ENDPOINT_LOCKED' | 'WEBHOOK_SECRET_CHANGED' | 'TEST_EVENT_LIMITED' | 'RESEND_LIMITED' | 'INTERNAL_ERROR' | 'SERVICE_UNAVAILABLE' | 'MALFORMED_REQUEST' | 'FORBIDDEN' | 'NOT_FOUND' | 'PAYLOAD_TOO_LARGE' | 'TIMEOUT' | (string & {});
export type Detail = {
    /**
     * Such as `email`, `meta.color` or `headers.idempotency-key`. Empty for an issue of the whole
     * body.
     */
    path: string;
    /**
     * The rule that the value breaks
     */
    message: string;
};
export type Cart = {
    /**
     * Identifier of the cart
     */
    id: string;
    /**
     * Time of creation, ISO 8601 in UTC
     */
    createdAt: string;
    /**
     * Time of the last change of status or payment, ISO 8601 in UTC
     */
    updatedAt: string;
    status: CartStatus;
    customerInfo: CustomerInfo;
    /**
     * The product of the cart: compare it with your order
     */
    productDocumentId: string;
    /**
     * The product's name at the cart's creation
     */
    productName: string;
    price: Price;
    /**
     * Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC
     */
    expiresAt: string;
    /**
     * The payment that completed the cart, or the last one that failed
     */
    paymentId?: string;
    /**
     * The `meta` of the create request, or `{}`
     */
    meta: Record<string, string>;
    /**
     * Present if the cart was `abandoned` when the payment succeeded
     */
    latePayment?: true;
    /**
     * Time of the payment that completed the cart, ISO 8601 in UTC
     */
    completedAt?: string;
    /**
     * Why the last payment failed, such as `card_declined`. Only in `payment_failed`,
     * and only if the payment side gave a reason
     */
    failureReason?: string;
    /**
     * The refunds of all payments of the cart, the oldest first. Absent before the first
     */
    refunds?: Refund[];
    /**
     * The sum of the refunds of `paymentId`, in the currency of `price`. Absent before
     * the first. Refunds of a duplicate payment do not count
     */
    refundedAmount?: number;
    /**
     * Address where the buyer pays. Present in `waiting_payment` and `payment_failed`,
     * absent in events
     */
    redirectUrl?: string;
};
export type Refund = {
    /**
     * Identifier of the refund
     */
    id: string;
    /**
     * The payment: the `paymentId` of the cart, or that of a duplicate payment
     */
    paymentId: string;
    /**
     * In the currency's main unit, such as `49.9`
     */
    amount: number;
    /**
     * The currency of the `price`
     */
    currency: string;
    /**
     * Time of the refund, ISO 8601 in UTC
     */
    refundedAt: string;
};
export type EventPage = {
    events: FeedEvent[];
    /**
     * Send it as `after` to read on. It is valid for 30 days after the response.
     */
    cursor: string;
    /**
     * Further events exist, so read on at once. A page can end before `limit`, even without
     * any event.
     */
    hasMore: boolean;
};
export type CartCompletedEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'cart.completed';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: Cart;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type CartPaymentFailedEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'cart.payment_failed';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: Cart;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type CartAbandonedEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'cart.abandoned';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: Cart;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type CartDuplicatePaymentEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'cart.duplicate_payment';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: DuplicatePaymentData;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type DuplicatePaymentData = {
    /**
     * Identifier of the cart
     */
    id: string;
    /**
     * Time of creation, ISO 8601 in UTC
     */
    createdAt: string;
    /**
     * Time of the last change of status or payment, ISO 8601 in UTC
     */
    updatedAt: string;
    status: CartStatus;
    customerInfo: CustomerInfo;
    /**
     * The product of the cart: compare it with your order
     */
    productDocumentId: string;
    /**
     * The product's name at the cart's creation
     */
    productName: string;
    price: Price;
    /**
     * Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC
     */
    expiresAt: string;
    /**
     * The payment that completed the cart, or the last one that failed
     */
    paymentId?: string;
    /**
     * The `meta` of the create request, or `{}`
     */
    meta: Record<string, string>;
    /**
     * Present if the cart was `abandoned` when the payment succeeded
     */
    latePayment?: true;
    /**
     * Time of the payment that completed the cart, ISO 8601 in UTC
     */
    completedAt?: string;
    /**
     * Why the last payment failed, such as `card_declined`. Only in `payment_failed`,
     * and only if the payment side gave a reason
     */
    failureReason?: string;
    /**
     * The refunds of all payments of the cart, the oldest first. Absent before the first
     */
    refunds?: Refund[];
    /**
     * The sum of the refunds of `paymentId`, in the currency of `price`. Absent before
     * the first. Refunds of a duplicate payment do not count
     */
    refundedAmount?: number;
    /**
     * Address where the buyer pays. Present in `waiting_payment` and `payment_failed`,
     * absent in events
     */
    redirectUrl?: string;
    /**
     * The second payment, which we refund. `paymentId` completed the cart.
     */
    duplicatePaymentId: string;
};
export type CartRefundedEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'cart.refunded';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: RefundedData;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type RefundedData = {
    /**
     * Identifier of the cart
     */
    id: string;
    /**
     * Time of creation, ISO 8601 in UTC
     */
    createdAt: string;
    /**
     * Time of the last change of status or payment, ISO 8601 in UTC
     */
    updatedAt: string;
    status: CartStatus;
    customerInfo: CustomerInfo;
    /**
     * The product of the cart: compare it with your order
     */
    productDocumentId: string;
    /**
     * The product's name at the cart's creation
     */
    productName: string;
    price: Price;
    /**
     * Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC
     */
    expiresAt: string;
    /**
     * The payment that completed the cart, or the last one that failed
     */
    paymentId?: string;
    /**
     * The `meta` of the create request, or `{}`
     */
    meta: Record<string, string>;
    /**
     * Present if the cart was `abandoned` when the payment succeeded
     */
    latePayment?: true;
    /**
     * Time of the payment that completed the cart, ISO 8601 in UTC
     */
    completedAt?: string;
    /**
     * Why the last payment failed, such as `card_declined`. Only in `payment_failed`,
     * and only if the payment side gave a reason
     */
    failureReason?: string;
    /**
     * The refunds of all payments of the cart, the oldest first. Absent before the first
     */
    refunds?: Refund[];
    /**
     * The sum of the refunds of `paymentId`, in the currency of `price`. Absent before
     * the first. Refunds of a duplicate payment do not count
     */
    refundedAmount?: number;
    /**
     * Address where the buyer pays. Present in `waiting_payment` and `payment_failed`,
     * absent in events
     */
    redirectUrl?: string;
    refund: Refund;
};
export type WebhookEndpointCreatedEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'webhook_endpoint.created';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: WebhookEndpointEventData;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type WebhookEndpointEventData = {
    /**
     * Identifier of the endpoint
     */
    id: string;
    /**
     * Where the service sends events
     */
    url: string;
    /**
     * The types of events to send. Absent: all types
     */
    eventTypes?: string[];
    /**
     * Whether the service sends events to the endpoint
     */
    enabled: boolean;
    /**
     * Since when the endpoint is disabled, ISO 8601 in UTC
     */
    disabledAt?: string;
    /**
     * Why the endpoint is
     * disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410. `failing`: every attempt
     * failed for five days. Later versions can add values.
     */
    disabledReason?: 'merchant' | 'operator' | 'gone' | 'failing' | (string & {});
    /**
     * When the endpoint was created, ISO 8601 in UTC
     */
    createdAt: string;
    /**
     * The beginning of the id of the API key that created it. Absent if we created it.
     */
    createdByKeyId?: string;
    /**
     * The beginning of the id of the API key that made the change. Absent if we made
     * it.
     */
    changedByKeyId?: string;
};
export type WebhookEndpointUpdatedEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'webhook_endpoint.updated';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: WebhookEndpointEventData;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type WebhookEndpointDisabledEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'webhook_endpoint.disabled';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: WebhookEndpointEventData;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type WebhookEndpointDeletedEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'webhook_endpoint.deleted';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: WebhookEndpointEventData;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type WebhookEndpointSecretRotatedEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'webhook_endpoint.secret_rotated';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: WebhookEndpointEventData;
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type ProductList = {
    products: Product[];
    /**
     * Send it as `after` to read on. Absent from the last page.
     */
    cursor?: string;
    /**
     * Further products exist.
     */
    hasMore: boolean;
};
export type Product = {
    /**
     * Identifier of the product: `productDocumentId` in a create request
     */
    id: string;
    /**
     * The name that buyers see
     */
    name: string;
    /**
     * `false`: a create request for it gets 400
     */
    available: boolean;
    price?: Price;
    priceRange?: PriceRange;
};
export type PriceRange = {
    /**
     * The lowest `customerPrice`
     */
    minimum: number;
    /**
     * The highest `customerPrice`
     */
    maximum: number;
    /**
     * The price without a `customerPrice`. If it is absent, send a `customerPrice`
     */
    suggested?: number;
    /**
     * ISO 4217 code, such as `EUR`
     */
    currency: string;
};
export type NewWebhookEndpoint = {
    /**
     * Where the service sends events: an https address with the port 443 or 8443, without user name
     * and password. Every IP address of its host must be public. The DNS must respond for the host within 1.5 seconds.
     * The local stage also allows http to the same machine.
     */
    url: string;
    /**
     * The types of events to send. `null` is all types,
     * also those of later versions.
     */
    eventTypes?: readonly EventType[] | null | undefined;
};
export type CreatedWebhookEndpoint = {
    webhookEndpoint: WebhookEndpointConfig;
    /**
     * Verifies the signatures of deliveries. Store it now: no other response has it.
     */
    secret?: string;
    /**
     * Of the request
     */
    idempotencyKey: string;
    /**
     * Whether an earlier request with this key created it
     */
    replayed: boolean;
};
export type WebhookEndpointConfig = {
    /**
     * Identifier of the endpoint
     */
    id: string;
    /**
     * Where the service sends events
     */
    url: string;
    /**
     * The types of events to send. Absent: all types
     */
    eventTypes?: string[];
    /**
     * Whether the service sends events to the endpoint
     */
    enabled: boolean;
    /**
     * Since when the endpoint is disabled, ISO 8601 in UTC
     */
    disabledAt?: string;
    /**
     * Why the endpoint is
     * disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410. `failing`: every attempt
     * failed for five days. Later versions can add values.
     */
    disabledReason?: 'merchant' | 'operator' | 'gone' | 'failing' | (string & {});
    /**
     * When the endpoint was created, ISO 8601 in UTC
     */
    createdAt: string;
    /**
     * The beginning of the id of the API key that created it. Absent if we created it.
     */
    createdByKeyId?: string;
};
export type WebhookEndpointList = {
    webhookEndpoints: WebhookEndpoint[];
};
export type WebhookEndpoint = {
    /**
     * Identifier of the endpoint
     */
    id: string;
    /**
     * Where the service sends events
     */
    url: string;
    /**
     * The types of events to send. Absent: all types
     */
    eventTypes?: string[];
    /**
     * Whether the service sends events to the endpoint
     */
    enabled: boolean;
    /**
     * Since when the endpoint is disabled, ISO 8601 in UTC
     */
    disabledAt?: string;
    /**
     * Why the endpoint is
     * disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410. `failing`: every attempt
     * failed for five days. Later versions can add values.
     */
    disabledReason?: 'merchant' | 'operator' | 'gone' | 'failing' | (string & {});
    /**
     * When the endpoint was created, ISO 8601 in UTC
     */
    createdAt: string;
    /**
     * The beginning of the id of the API key that created it. Absent if we created it.
     */
    createdByKeyId?: string;
    /**
     * The first failed attempt after the last success, ISO 8601 in UTC
     */
    failingSince?: string;
    /**
     * The last attempt that succeeded, ISO 8601 in UTC
     */
    lastSuccessAt?: string;
};
export type WebhookEndpointChanges = {
    /**
     * Where the service sends events: an https address with the port 443 or
     * 8443, without user name and password. Every IP address of its host must be public. The DNS must respond for the
     * host within 1.5 seconds. The local stage also allows http to the same machine.
     */
    url?: string | null | undefined;
    /**
     * The types of events to send. `null` is all types,
     * also those of later versions.
     */
    eventTypes?: readonly EventType[] | null | undefined;
    /**
     * `false` stops all deliveries to the endpoint. `true` resumes them,
     * and during a pause after failures, it sends one waiting delivery at once. Events in between are not delivered:
     * read the list of events. If we disabled the endpoint, `true` and a new address return 409.
     */
    enabled?: boolean | null | undefined;
};
export type DeletedWebhookEndpoint = {
    id: string;
    deleted: true;
};
export type RotatedWebhookSecret = {
    id: string;
    /**
     * Verifies the signatures of deliveries. Store it now: no other response has it.
     */
    secret: string;
    /**
     * When the old secret no longer signs, ISO 8601 in UTC
     */
    previousSecretEndsAt: string;
};
export type SentWebhookEvent = {
    /**
     * Identifier of the delivery in the list of deliveries
     */
    deliveryId: string;
    /**
     * The `webhook-id` of the request that you receive
     */
    eventId: string;
};
export type WebhookDeliveryPage = {
    deliveries: WebhookDelivery[];
    /**
     * Send it as `after` to read on. Absent from the last page.
     */
    cursor?: string;
    /**
     * Earlier deliveries exist: read on with `after`.
     */
    hasMore: boolean;
};
export type WebhookDelivery = {
    /**
     * Identifier of the delivery within its endpoint
     */
    id: string;
    /**
     * Identifier of the event
     */
    eventId: string;
    /**
     * The type of the event. A test event has `webhook.ping`, or `test.` and its type.
     */
    eventType: string;
    /**
     * When the service recorded the event, ISO 8601 in UTC
     */
    recordedAt: string;
    /**
     * `succeeded`: the
     * endpoint has the event. `retrying`: there will be another attempt. `waiting`: the delivery waits for the endpoint
     * to respond to earlier requests, or to recover. `failed`: the last attempt failed. `dropped`: the endpoint was
     * disabled. Later versions can add values.
     */
    status: 'succeeded' | 'retrying' | 'waiting' | 'failed' | 'dropped' | (string & {});
    /**
     * When the next attempt is due, ISO 8601 in UTC
     */
    nextAttemptAt?: string;
    /**
     * The last 20, the oldest first
     */
    attempts: WebhookAttempt[];
};
export type WebhookAttempt = {
    /**
     * From 1. A delivery that is sent again begins anew.
     */
    attempt: number;
    /**
     * When the attempt began, ISO 8601 in UTC
     */
    at: string;
    /**
     * The status of the response
     */
    status?: number;
    /**
     * Why there was no response: `timeout`, `privateAddress`,
     * `hostNotFound`, `connectionFailed`, `connectionClosed`, `tlsFailed`, `invalidResponse`, `invalidUrl`. Later
     * versions can add values.
     */
    error?: 'timeout' | 'privateAddress' | 'hostNotFound' | 'connectionFailed' | 'connectionClosed' | 'tlsFailed' | 'invalidResponse' | 'invalidUrl' | (string & {});
    /**
     * How long the attempt took, in milliseconds
     */
    durationMs: number;
    /**
     * The beginning of the body of the response, without secrets. Of a compressed body, only
     * its `content-encoding`.
     */
    response?: string;
};
export type WebhookPingEvent = {
    /**
     * Identifier of the event. A repeated delivery has the same one.
     */
    id: string;
    type: 'webhook.ping';
    /**
     * When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after
     * a wrong clock, timestamps can go back.
     */
    timestamp: string;
    data: {};
    /**
     * Present if you sent the event to test an endpoint. Its data is an example: ignore it.
     */
    test?: true;
};
export type FeedEvent = CartCompletedEvent | CartPaymentFailedEvent | CartAbandonedEvent | CartDuplicatePaymentEvent | CartRefundedEvent | WebhookEndpointCreatedEvent | WebhookEndpointUpdatedEvent | WebhookEndpointDisabledEvent | WebhookEndpointDeletedEvent | WebhookEndpointSecretRotatedEvent;
export type WebhookEvent = FeedEvent | WebhookPingEvent;
export type ClientErrorCode = 'NO_RESPONSE' | 'UNEXPECTED_RESPONSE';
export type Failure = {
    status?: number;
    details?: Detail[];
    requestId?: string | null;
    retryAfterSeconds?: number;
    helpUrl?: string | null;
    cause?: unknown;
};
export type FetchRequest = {
    method: string;
    headers: Record<string, string>;
    body?: string;
    redirect: 'manual';
    signal: any;
};
export type FetchResponse = {
    status: number;
    headers: {
        get(name: string): string | null;
    };
    text: () => Promise<string>;
};
export type Options = {
    /**
     * the stage's address
     */
    baseUrl: string | undefined;
    apiKey: string | undefined;
    /**
     * the longest time of one request; 10 by default
     */
    timeoutSeconds?: number | null | undefined;
    /**
     * 5 by default
     */
    retriesMax?: number | null | undefined;
    /**
     * no retry of a call begins later; 60 by default
     */
    deadlineSeconds?: number | null | undefined;
    /**
     * sends the requests,
     * for example through a proxy; the `fetch` of Node.js by default
     */
    fetch?: ((url: string, request: FetchRequest) => Promise<FetchResponse>) | null | undefined;
    /**
     * from 0 to 1; this and the next two are for tests
     */
    random?: (() => number) | null | undefined;
    sleep?: ((seconds: number, signal?: any) => Promise<unknown>) | null | undefined;
    /**
     * in seconds; it never runs backwards
     */
    now?: (() => number) | null | undefined;
};
export type CallOptions = {
    /**
     * the longest time of one request
     */
    timeoutSeconds?: number | null | undefined;
    /**
     * an `AbortSignal`: it ends the call, which then throws
     * its reason
     */
    signal?: {
        readonly aborted: boolean;
    } | null | undefined;
};
export type CreateOptions = {
    /**
     * by default, a new one
     */
    idempotencyKey?: string | null | undefined;
};
export type FeedOptions = {
    /**
     * the cursor of the last page; without it, from the oldest event on
     */
    after?: string | null | undefined;
    /**
     * the most events of a page
     */
    limit?: number | null | undefined;
};
export type ProductOptions = {
    /**
     * the cursor of the last page; without it, from the first product on
     */
    after?: string | null | undefined;
    /**
     * the most products of a page
     */
    limit?: number | null | undefined;
};
export type DeliveryOptions = {
    /**
     * the cursor of the last page; without it, from the latest delivery on
     */
    after?: string | null | undefined;
    /**
     * instead of `after`: a time, such as the `recordedAt` of a delivery
     */
    before?: string | null | undefined;
    /**
     * the most deliveries of a page
     */
    limit?: number | null | undefined;
};
export type WebhookHeaders = {
    get(name: string): string | null;
} | Readonly<Record<string, string | string[] | undefined>>;
export type Call = {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /**
     * by default, a retry is safe after each error; otherwise only after a 429
     */
    isRepeatable?: boolean;
    endsAt?: number;
};
export type Received = {
    response: FetchResponse;
    body: any;
};
/** A call that failed. Decide by `status` and `code`. */
export declare class CartCheckoutError extends Error {
    code: ClientErrorCode | ErrorCode;
    /** The HTTP status, or 0 without a response. */
    status: number;
    /** The validation issues. */
    details: Detail[];
    /** Send it to us when you report a problem. */
    requestId: string | null;
    retryAfterSeconds: number;
    /** The address of a page about the error, or null. */
    helpUrl: string | null;
    /** Whether the same call can succeed later. A 2xx is an error only if its body is incomplete. */
    retryable: boolean;
    /**
     * @param {ErrorCode | ClientErrorCode} code
     * @param {string} message
     * @param {Failure} [failure]
     */
    constructor(code: ErrorCode | ClientErrorCode, message: string, failure?: Failure);
}
/** A webhook that the service did not sign within the last five minutes. Respond with 400 and the message, which has no secret. */
export declare class WebhookVerificationError extends Error {
    /** @override */
    name: string;
}
/**
 * Whether this version knows the type of an event. Ignore the events of other types: later versions of the API send them.
 *
 * @param {{ type: string }} event
 * @returns {event is WebhookEvent}
 */
export declare const isKnownEvent: (event: {
    type: string;
}) => event is WebhookEvent;
/** A client of one stage with one API key. */
export declare class CartCheckout {
    #private;
    /**
     * @param {Options} options
     * @throws {Error} in a browser
     * @throws {TypeError} if an option is missing, malformed or unknown
     */
    constructor(options: Options);
    /**
     * Creates a cart. All requests of the call have one `Idempotency-Key`, so they create one cart. Better store an
     * `idempotencyKey` with the order before the call, and pass it. You can then repeat the call after a crash.
     *
     * @param {NewCart} cart
     * @param {CreateOptions & CallOptions | null} [options]
     * @returns {Promise<Checkout>}
     * @throws {CartCheckoutError}
     */
    createCart(cart: NewCart, options?: (CreateOptions & CallOptions) | null): Promise<Checkout>;
    /**
     * @param {string} cartId
     * @param {CallOptions | null} [options]
     * @returns {Promise<Cart>}
     * @throws {CartCheckoutError}
     */
    retrieveCart(cartId: string, options?: CallOptions | null): Promise<Cart>;
    /**
     * Ends a cart that waits for payment: it becomes `abandoned`.
     *
     * @param {string} cartId
     * @param {CallOptions | null} [options]
     * @returns {Promise<Cart>}
     * @throws {CartCheckoutError} `CART_COMPLETED` or `CART_PAYMENT_FAILED` if it has a payment
     */
    expireCart(cartId: string, options?: CallOptions | null): Promise<Cart>;
    /**
     * Retrieves a cart at growing intervals, until it has one of the statuses or the deadline is over.
     *
     * @param {string} cartId
     * @param {{ statuses?: readonly CartStatus[] | null | undefined, deadlineSeconds?: number | null | undefined } & CallOptions | null} [options]
     *   by default, each status except `waiting_payment`, and 30 seconds
     * @returns {Promise<Cart>} as last retrieved: check its status
     * @throws {CartCheckoutError}
     */
    waitForStatus(cartId: string, options?: ({
        statuses?: readonly CartStatus[] | null | undefined;
        deadlineSeconds?: number | null | undefined;
    } & CallOptions) | null): Promise<Cart>;
    /**
     * Reads one page of the store's products, also those that are not available.
     *
     * @param {ProductOptions & CallOptions | null} [options]
     * @returns {Promise<ProductList>}
     * @throws {CartCheckoutError}
     */
    listProducts(options?: (ProductOptions & CallOptions) | null): Promise<ProductList>;
    /**
     * Reads the store's products to the end, page by page.
     *
     * @param {ProductOptions & CallOptions | null} [options]
     * @returns {AsyncGenerator<ProductList, void, void>}
     * @throws {CartCheckoutError}
     */
    productPages(options?: (ProductOptions & CallOptions) | null): AsyncGenerator<ProductList, void, void>;
    /**
     * @param {string} productDocumentId
     * @param {CallOptions | null} [options]
     * @returns {Promise<Product>}
     * @throws {CartCheckoutError}
     */
    retrieveProduct(productDocumentId: string, options?: CallOptions | null): Promise<Product>;
    /**
     * Reads one page of the feed: the events after a cursor, or the oldest ones.
     *
     * @param {FeedOptions & CallOptions | null} [options]
     * @returns {Promise<EventPage>} Check each event with `isKnownEvent`: later versions of the API send events of other types
     * @throws {CartCheckoutError} with the status 422, if the feed no longer keeps the events after the cursor
     */
    listEvents(options?: (FeedOptions & CallOptions) | null): Promise<EventPage>;
    /**
     * Reads the feed to its end, page by page.
     *
     * @param {FeedOptions & CallOptions | null} [options]
     * @returns {AsyncGenerator<EventPage, void, void>}
     * @throws {CartCheckoutError} as `listEvents`
     */
    eventPages(options?: (FeedOptions & CallOptions) | null): AsyncGenerator<EventPage, void, void>;
    /**
     * Creates a webhook endpoint. All requests of the call have one `Idempotency-Key`, so they create one endpoint.
     *
     * @param {NewWebhookEndpoint} endpoint
     * @param {CreateOptions & CallOptions | null} [options]
     * @returns {Promise<CreatedWebhookEndpoint>} without `secret`, if an earlier request of the call already created it
     * @throws {CartCheckoutError}
     */
    createWebhookEndpoint(endpoint: NewWebhookEndpoint, options?: (CreateOptions & CallOptions) | null): Promise<CreatedWebhookEndpoint>;
    /**
     * @param {CallOptions | null} [options]
     * @returns {Promise<WebhookEndpointList>} all of the key's store and mode, oldest first
     * @throws {CartCheckoutError}
     */
    listWebhookEndpoints(options?: CallOptions | null): Promise<WebhookEndpointList>;
    /**
     * @param {string} endpointId
     * @param {CallOptions | null} [options]
     * @returns {Promise<WebhookEndpoint>}
     * @throws {CartCheckoutError}
     */
    retrieveWebhookEndpoint(endpointId: string, options?: CallOptions | null): Promise<WebhookEndpoint>;
    /**
     * @param {string} endpointId
     * @param {WebhookEndpointChanges} changes an absent field stays as it is
     * @param {CallOptions | null} [options]
     * @returns {Promise<WebhookEndpoint>}
     * @throws {CartCheckoutError}
     */
    updateWebhookEndpoint(endpointId: string, changes: WebhookEndpointChanges, options?: CallOptions | null): Promise<WebhookEndpoint>;
    /**
     * @param {string} endpointId
     * @param {CallOptions | null} [options]
     * @returns {Promise<DeletedWebhookEndpoint>}
     * @throws {CartCheckoutError} `WEBHOOK_ENDPOINT_NOT_FOUND` also if an earlier request of the call deleted it
     */
    deleteWebhookEndpoint(endpointId: string, options?: CallOptions | null): Promise<DeletedWebhookEndpoint>;
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
    rotateWebhookSecret(endpointId: string, options?: ({
        overlapSeconds?: number | null | undefined;
    } & CallOptions) | null): Promise<RotatedWebhookSecret>;
    /**
     * Sends a test event to an endpoint. Its result appears in the list of deliveries.
     *
     * @param {string} endpointId
     * @param {{ eventType?: string | null | undefined } & CallOptions | null} [options] the type of the event, in test mode; a
     *   `webhook.ping` by default
     * @returns {Promise<SentWebhookEvent>}
     * @throws {CartCheckoutError}
     */
    testWebhookEndpoint(endpointId: string, options?: ({
        eventType?: string | null | undefined;
    } & CallOptions) | null): Promise<SentWebhookEvent>;
    /**
     * Lists one page of the deliveries of an endpoint, the latest event first.
     *
     * @param {string} endpointId
     * @param {DeliveryOptions & CallOptions | null} [options]
     * @returns {Promise<WebhookDeliveryPage>}
     * @throws {CartCheckoutError}
     */
    listWebhookDeliveries(endpointId: string, options?: (DeliveryOptions & CallOptions) | null): Promise<WebhookDeliveryPage>;
    /**
     * Reads all deliveries of an endpoint, page by page, the latest event first.
     *
     * @param {string} endpointId
     * @param {DeliveryOptions & CallOptions | null} [options]
     * @returns {AsyncGenerator<WebhookDeliveryPage, void, void>}
     * @throws {CartCheckoutError}
     */
    webhookDeliveryPages(endpointId: string, options?: (DeliveryOptions & CallOptions) | null): AsyncGenerator<WebhookDeliveryPage, void, void>;
    /**
     * Sends the event of a delivery again.
     *
     * @param {string} endpointId
     * @param {string} deliveryId
     * @param {CallOptions | null} [options]
     * @returns {Promise<SentWebhookEvent>}
     * @throws {CartCheckoutError}
     */
    resendWebhookDelivery(endpointId: string, deliveryId: string, options?: CallOptions | null): Promise<SentWebhookEvent>;
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
    static verifyWebhook(secret: string | readonly string[], headers: WebhookHeaders, rawBody: string | ArrayBuffer | ArrayBufferView, options?: {
        nowSeconds?: number | null | undefined;
    } | null): WebhookEvent;
    toString(): string;
}
