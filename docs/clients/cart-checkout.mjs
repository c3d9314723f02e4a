// A client of the Cart Checkout API for servers on Node.js 20 or later. It needs no packages: copy this file into your
// project. TypeScript reads its types with `allowJs`. The README beside it describes the methods and options.

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @typedef {'waiting_payment' | 'payment_failed' | 'abandoned' | 'completed'} CartStatus
 * @typedef {{ firstName?: string, lastName?: string, email?: string, phone?: string, lang?: string }} CustomerInfo
 * @typedef {{ amount: number, currency: string }} Price in the currency's main unit: 49.9 and EUR are 49.90 euros
 *
 * @typedef {{ id: string, paymentId: string, amount: number, currency: string, refundedAt: string }} Refund
 */

// generated: carts
/**
 * @typedef {object} CreatedCart A cart as its creation returns it. Times are ISO 8601 in UTC.
 * @property {string} id Identifier of the cart
 * @property {string} createdAt Time of creation, ISO 8601 in UTC
 * @property {string} updatedAt Time of the last change of status or payment, ISO 8601 in UTC
 * @property {CartStatus} status
 * @property {CustomerInfo} customerInfo
 * @property {string} productDocumentId The product of the cart: compare it with your order
 * @property {string} productName The product's name at the cart's creation
 * @property {Price} price
 */

/**
 * @typedef {object} Cart A cart as its retrieval returns it. A value that does not exist is absent.
 * @property {string} id Identifier of the cart
 * @property {string} createdAt Time of creation, ISO 8601 in UTC
 * @property {string} updatedAt Time of the last change of status or payment, ISO 8601 in UTC
 * @property {CartStatus} status
 * @property {CustomerInfo} customerInfo
 * @property {string} productDocumentId The product of the cart: compare it with your order
 * @property {string} productName The product's name at the cart's creation
 * @property {Price} price
 * @property {string} [paymentId] The payment that completed the cart, or the last one that failed
 * @property {Record<string, string>} meta The `meta` of the create request, or `{}`
 * @property {string} expiresAt Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC
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
 * @typedef {object} NewCart The fields of a cart to create. `{CART_ID}` in `redirectURL` stands for the id of the cart.
 * @property {string} productDocumentId Identifier of the product
 * @property {string} email Buyer's e-mail. The service trims white space before it checks the length.
 * @property {string} firstName Buyer's first name. The service trims white space before it checks the length.
 * @property {string} lastName Buyer's last name. The service trims white space before it checks the length.
 * @property {string | null | undefined} [phone] Buyer's telephone number. An empty one counts as absent.
 * @property {string | null | undefined} [redirectURL] Where the buyer returns after payment: an absolute http or https
 *   URL without user name and password. The service replaces each `{CART_ID}` in it with the id of the cart, and
 *   rejects other placeholders, such as `{cartId}`. Without `{CART_ID}`, or if the query has a `status`, it sets
 *   `cartId` and `status` in the query, in place of your own. Note the spelling: the response has `redirectUrl`.
 * @property {Record<string, string> | null | undefined} [meta] Custom metadata, at most 125 KiB as JSON. The retrieved
 *   cart contains it. An empty array counts as `{}`.
 * @property {number | null | undefined} [expiresInMinutes] How long the buyer can pay, in whole minutes. Default and
 *   maximum: the stage's time, usually 1440.
 * @property {number | null | undefined} [customerPrice] The buyer's price for a free-pricing product, in the
 *   currency's main unit, at least its minimum. At most 15 digits, and the currency's decimals. Default: the product's
 *   suggested price. Without one, the field is required. For a fixed-price product, send the exact price or none.
 */
// /generated

/**
 * @typedef {object} Checkout
 * @property {CreatedCart} cart
 * @property {string} redirectUrl the payment address: redirect the buyer to it
 * @property {string} idempotencyKey of the request
 * @property {boolean} replayed whether an earlier request with this key created the cart
 *
 * @typedef {object} CartEvent
 * @property {string} id the same in the feed and in a webhook
 * @property {'cart.completed' | 'cart.payment_failed' | 'cart.abandoned' | 'cart.duplicate_payment' | 'cart.refunded'} type ignore any
 *   other one
 * @property {string} timestamp
 * @property {Cart & { duplicatePaymentId?: string, refund?: Refund }} data the cart at this time
 *
 * @typedef {object} WebhookEndpointEvent
 * @property {string} id
 * @property {'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.deleted'
 *   | 'webhook_endpoint.secret_rotated'} type
 * @property {string} timestamp
 * @property {WebhookEndpointConfig & { changedByKeyId?: string }} data the endpoint after the change
 *
 * @typedef {{ id: string, type: 'webhook.ping', timestamp: string, data: {} }} PingEvent A test of a webhook endpoint
 *
 * @typedef {object} EventPage
 * @property {(CartEvent | WebhookEndpointEvent)[]} events
 * @property {string} cursor store it after you have stored the events
 * @property {boolean} hasMore
 *
 * @typedef {object} WebhookEndpointConfig
 * @property {string} id
 * @property {string} url
 * @property {string[]} [eventTypes] absent: all types
 * @property {boolean} enabled
 * @property {string} [disabledAt]
 * @property {'merchant' | 'operator' | 'gone' | 'failing' | (string & {})} [disabledReason]
 * @property {string} createdAt
 * @property {string} [createdByKeyId] the beginning of the id of the API key that created it
 *
 * @typedef {WebhookEndpointConfig & { failingSince?: string, lastSuccessAt?: string }} WebhookEndpoint
 *
 * @typedef {{ url: string, eventTypes?: readonly string[] | null | undefined }} NewWebhookEndpoint `null` is all types
 * @typedef {Partial<NewWebhookEndpoint> & { enabled?: boolean | undefined }} WebhookEndpointChanges
 *
 * @typedef {object} CreatedWebhookEndpoint
 * @property {WebhookEndpointConfig} webhookEndpoint
 * @property {string} [secret] store it now. A replay has none: rotate the secret if you lost it
 * @property {string} idempotencyKey of the request
 * @property {boolean} replayed whether an earlier request with this key created the endpoint
 *
 * @typedef {{ id: string, secret: string, previousSecretEndsAt: string }} RotatedWebhookSecret
 *
 * @typedef {object} WebhookAttempt
 * @property {number} attempt
 * @property {string} at
 * @property {number} [status] of the response
 * @property {string} [error] why there was no response, such as `timeout`
 * @property {number} durationMs
 * @property {string} [response] the beginning of its body
 *
 * @typedef {object} WebhookDelivery
 * @property {string} id
 * @property {string} eventId
 * @property {string} eventType
 * @property {string} recordedAt
 * @property {'succeeded' | 'retrying' | 'waiting' | 'failed' | 'dropped' | (string & {})} status
 * @property {string} [nextAttemptAt]
 * @property {WebhookAttempt[]} attempts the last 20, the oldest first
 *
 * @typedef {{ deliveries: WebhookDelivery[], hasMore: boolean }} WebhookDeliveryPage
 * @typedef {{ deliveryId: string, eventId: string }} SentWebhookEvent
 *
 * @typedef {{ path: string, message: string }} Detail A validation issue
 *
 * @typedef {'INVALID_PRODUCT' | 'MALFORMED_REQUEST' | 'INVALID_API_KEY' | 'FORBIDDEN' | 'NOT_FOUND' | 'PAYLOAD_TOO_LARGE'
 *   | 'VALIDATION_ERROR' | 'IDEMPOTENCY_KEY_REUSED' | 'CART_COMPLETED' | 'CART_PAYMENT_FAILED' | 'RATE_LIMITED'
 *   | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_DELIVERY_NOT_FOUND' | 'TOO_MANY_WEBHOOK_ENDPOINTS' | 'WEBHOOK_ENDPOINT_DISABLED'
 *   | 'WEBHOOK_ENDPOINT_LOCKED' | 'WEBHOOK_SECRET_CHANGED' | 'TEST_EVENT_LIMITED' | 'RESEND_LIMITED' | 'INTERNAL_ERROR'
 *   | 'SERVICE_UNAVAILABLE' | 'TIMEOUT' | 'NO_RESPONSE' | 'UNEXPECTED_RESPONSE' | (string & {})} ErrorCode The last two are
 *   the client's own: no response arrived, or one that is not the API's
 *
 * @typedef {object} Failure
 * @property {number} [status]
 * @property {Detail[]} [details]
 * @property {string | null} [requestId]
 * @property {number} [retryAfterSeconds]
 * @property {unknown} [cause]
 *
 * @typedef {object} Options
 * @property {string | undefined} baseUrl the stage's address
 * @property {string | undefined} apiKey
 * @property {number} [timeoutSeconds] the longest time of one request; 10 by default
 * @property {number} [retriesMax] 5 by default
 * @property {number} [deadlineSeconds] no retry of a call begins later; 60 by default
 * @property {() => number} [random] from 0 to 1; this and the next two are for tests
 * @property {(seconds: number) => Promise<unknown>} [sleep]
 * @property {() => number} [now] in seconds; it never runs backwards
 *
 * @typedef {object} Call
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {boolean} [isRepeatable] by default, a retry is safe after each error; otherwise only after a 429
 *
 * @typedef {{ get(name: string): string | null } | Readonly<Record<string, string | string[] | undefined>>} WebhookHeaders
 */

const WEBHOOK_TOLERANCE_SECONDS = 300;

/** A call that failed. Decide by `status` and `code`. */
export class CartCheckoutError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {Failure} failure
   */
  constructor(code, message, { status = 0, details = [], requestId = null, retryAfterSeconds = 0, cause }) {
    const issues = details.map((detail) => `; ${detail.path}: ${detail.message}`).join('');
    super(`${code}: ${message}${requestId === null ? '' : ` (request ${requestId})`}${issues}`, { cause });
    this.name = 'CartCheckoutError';
    this.code = code;
    /** The HTTP status, or 0 without a response. */
    this.status = status;
    this.details = details;
    /** Send it to us when you report a problem. */
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    /** Whether the same call can succeed later. A 2xx is an error only if its body is incomplete. */
    this.retryable = status < 300 || status === 408 || status === 429 || status >= 500;
  }
}

/** A webhook that the service did not sign within the last five minutes. Respond with 400. */
export class WebhookVerificationError extends Error {
  /** @override */
  name = 'WebhookVerificationError';
}

/**
 * @param {WebhookHeaders} headers
 * @param {string} name in lower case
 */
const headerOf = (headers, name) => {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return String(value);
};

/**
 * A key has at least 24 bytes, so a missing variable is no key: `undefined` alone would be valid base64.
 *
 * @param {string} secret
 */
const signingKeyOf = (secret) => {
  const [, base64] = /^(?:whsec_)?([A-Za-z0-9+/]{32,}=*)$/.exec(secret) ?? [];
  if (base64 === undefined) throw new TypeError('secret is missing or malformed');
  return Buffer.from(base64, 'base64');
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

const ENDPOINTS_PATH = '/api/v1/stores/webhook-endpoints';

/**
 * @param {string} name of the id, for the error
 * @param {string} id
 */
const segmentOf = (name, id) => {
  if (typeof id !== 'string' || id === '') throw new TypeError(`${name} is missing or malformed`);
  return `/${encodeURIComponent(id)}`;
};

/** @param {string} cartId */
const pathOf = (cartId) => `/api/v1/stores/cart${segmentOf('cartId', cartId)}`;

/** @param {string} endpointId */
const endpointPathOf = (endpointId) => ENDPOINTS_PATH + segmentOf('endpointId', endpointId);

/**
 * @param {Record<string, string | number | undefined>} parameters
 * @returns {string} without the undefined ones
 */
const queryOf = (parameters) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `?${query.toString()}`;
};

/**
 * @param {string} method
 * @param {object} content
 * @returns {Call}
 */
const jsonRequest = (method, content) => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(content),
});

/**
 * @param {Response} response
 * @param {any} body
 */
const errorOf = ({ status, headers }, body) => {
  const requestId = headers.get('X-Request-Id');
  const retryAfterSeconds = Math.max(0, Number(headers.get('Retry-After')) || 0);
  const failure = { status, requestId, retryAfterSeconds };
  if (status < 300 || typeof body?.code !== 'string' || typeof body.message !== 'string') {
    return new CartCheckoutError(
      'UNEXPECTED_RESPONSE',
      `The ${status} is not a response of the API`,
      failure,
    );
  }
  return new CartCheckoutError(body.code, body.message, {
    ...failure,
    details: Array.isArray(body.details) ? body.details : [],
  });
};

/** A client of one stage with one API key. */
export class CartCheckout {
  // Private fields: neither `inspect` nor JSON shows the key.
  #baseUrl;
  #apiKey;
  #options;

  /**
   * @param {Options} options
   * @throws {Error} in a browser, or if the address or the key is malformed
   */
  constructor({ baseUrl, apiKey, ...options }) {
    if ('window' in globalThis || 'document' in globalThis) {
      throw new Error('The API key is a secret. Use CartCheckout on your server, never in a browser.');
    }
    if (!/^https?:\/\/[^\s@]+$/.test(baseUrl ?? '')) throw new TypeError('baseUrl is missing or malformed');
    if (!/^[!-~]+$/.test(apiKey ?? '')) throw new TypeError('apiKey is missing or malformed');
    this.#baseUrl = String(baseUrl).replace(/\/$/, '');
    this.#apiKey = apiKey;
    this.#options = {
      timeoutSeconds: 10,
      retriesMax: 5,
      deadlineSeconds: 60,
      random: Math.random,
      /** @param {number} seconds */
      sleep: (seconds) => delay(1000 * seconds),
      now: () => performance.now() / 1000,
      ...options,
    };
  }

  /**
   * Creates a cart. All requests of the call have one `Idempotency-Key`, so they create one cart.
   *
   * @param {NewCart} cart
   * @param {{ idempotencyKey?: string | null | undefined }} [options] by default, a new key. Better store one with the order before
   *   the call, and pass it: you can then repeat the call after a crash
   * @returns {Promise<Checkout>}
   * @throws {CartCheckoutError}
   */
  async createCart(cart, options = {}) {
    return this.#create('/api/v1/stores/cart/checkout', 'redirectUrl', cart, options);
  }

  /**
   * @param {string} cartId
   * @returns {Promise<Cart>}
   * @throws {CartCheckoutError}
   */
  async retrieveCart(cartId) {
    const { body } = await this.#retrieve(cartId);
    return body;
  }

  /**
   * Ends a cart that waits for payment: it becomes `abandoned`.
   *
   * @param {string} cartId
   * @returns {Promise<Cart>}
   * @throws {CartCheckoutError} `CART_COMPLETED` or `CART_PAYMENT_FAILED` if it has a payment
   */
  async expireCart(cartId) {
    const { body } = await this.#call(`${pathOf(cartId)}/expire`, 'id', { method: 'POST' });
    return body;
  }

  /**
   * Retrieves a cart at growing intervals, until it has one of the statuses or the deadline is over.
   *
   * @param {string} cartId
   * @param {{ statuses?: readonly CartStatus[], deadlineSeconds?: number }} [options] by default, each status except
   *   `waiting_payment`, and 30 seconds
   * @returns {Promise<Cart>} the cart as last retrieved: check its status
   * @throws {CartCheckoutError}
   */
  async waitForStatus(
    cartId,
    { statuses = ['completed', 'payment_failed', 'abandoned'], deadlineSeconds = 30 } = {},
  ) {
    const endsAt = this.#options.now() + deadlineSeconds;
    let latest;
    for (let pauseSeconds = 1; ; pauseSeconds = Math.min(2 * pauseSeconds, 8)) {
      try {
        latest = await this.#retrieve(cartId, latest, endsAt);
      } catch (error) {
        if (!latest || !(error instanceof CartCheckoutError && error.retryable)) throw error;
      }
      const leftSeconds = endsAt - this.#options.now();
      if (leftSeconds <= 0 || statuses.includes(latest.body.status)) return latest.body;
      await this.#options.sleep(Math.min(pauseSeconds, leftSeconds));
    }
  }

  /**
   * Reads one page of the feed: the events after a cursor, or the oldest ones.
   *
   * @param {{ after?: string | undefined, limit?: number | undefined }} [options]
   * @returns {Promise<EventPage>}
   * @throws {CartCheckoutError} with the status 422, if the feed no longer keeps the events after the cursor
   */
  async listEvents({ after, limit } = {}) {
    const { body } = await this.#call(`/api/v1/stores/events${queryOf({ after, limit })}`, 'events');
    return body;
  }

  /**
   * Reads the feed to its end, page by page.
   *
   * @param {{ after?: string | undefined, limit?: number | undefined }} [options]
   * @returns {AsyncGenerator<EventPage, void, void>}
   * @throws {CartCheckoutError} as `listEvents`
   */
  async *eventPages({ after, limit } = {}) {
    for (let hasMore = true; hasMore;) {
      const page = await this.listEvents({ after, limit });
      yield page;
      ({ cursor: after, hasMore } = page);
    }
  }

  /**
   * Creates a webhook endpoint. All requests of the call have one `Idempotency-Key`, so they create one endpoint.
   *
   * @param {NewWebhookEndpoint} endpoint
   * @param {{ idempotencyKey?: string | null | undefined }} [options] as of `createCart`
   * @returns {Promise<CreatedWebhookEndpoint>} without `secret`, if an earlier request of the call already created it
   * @throws {CartCheckoutError}
   */
  async createWebhookEndpoint(endpoint, options = {}) {
    return this.#create(ENDPOINTS_PATH, 'webhookEndpoint', endpoint, options);
  }

  /**
   * @returns {Promise<{ webhookEndpoints: WebhookEndpoint[] }>} all of the key's store and mode, oldest first
   * @throws {CartCheckoutError}
   */
  async listWebhookEndpoints() {
    const { body } = await this.#call(ENDPOINTS_PATH, 'webhookEndpoints');
    return body;
  }

  /**
   * @param {string} endpointId
   * @returns {Promise<WebhookEndpoint>}
   * @throws {CartCheckoutError}
   */
  async retrieveWebhookEndpoint(endpointId) {
    const { body } = await this.#call(endpointPathOf(endpointId), 'id');
    return body;
  }

  /**
   * @param {string} endpointId
   * @param {WebhookEndpointChanges} changes an absent field stays as it is
   * @returns {Promise<WebhookEndpoint>}
   * @throws {CartCheckoutError}
   */
  async updateWebhookEndpoint(endpointId, changes) {
    const { body } = await this.#call(endpointPathOf(endpointId), 'id', jsonRequest('PATCH', changes));
    return body;
  }

  /**
   * @param {string} endpointId
   * @returns {Promise<{ id: string, deleted: true }>}
   * @throws {CartCheckoutError} `WEBHOOK_ENDPOINT_NOT_FOUND` also if an earlier request of the call deleted it
   */
  async deleteWebhookEndpoint(endpointId) {
    const { body } = await this.#call(endpointPathOf(endpointId), 'deleted', { method: 'DELETE' });
    return body;
  }

  /**
   * Replaces the secret of an endpoint. The client retries it only after a 429: a second rotation would end the secret that
   * your receiver has.
   *
   * @param {string} endpointId
   * @param {{ overlapSeconds?: number | undefined }} [options] how long both secrets sign; a day by default
   * @returns {Promise<RotatedWebhookSecret>}
   * @throws {CartCheckoutError}
   */
  async rotateWebhookSecret(endpointId, { overlapSeconds } = {}) {
    const request = { ...jsonRequest('POST', { overlapSeconds }), isRepeatable: false };
    const { body } = await this.#call(`${endpointPathOf(endpointId)}/rotate-secret`, 'secret', request);
    return body;
  }

  /**
   * Sends a test event to an endpoint. Its result appears in the list of deliveries.
   *
   * @param {string} endpointId
   * @returns {Promise<SentWebhookEvent>}
   * @throws {CartCheckoutError}
   */
  async testWebhookEndpoint(endpointId) {
    const { body } = await this.#call(`${endpointPathOf(endpointId)}/test`, 'deliveryId', { method: 'POST' });
    return body;
  }

  /**
   * Lists the deliveries of an endpoint, the latest event first.
   *
   * @param {string} endpointId
   * @param {{ before?: string | undefined, limit?: number | undefined }} [options] `before`: the `recordedAt` of the last
   *   delivery of a page
   * @returns {Promise<WebhookDeliveryPage>}
   * @throws {CartCheckoutError}
   */
  async listWebhookDeliveries(endpointId, { before, limit } = {}) {
    const path = `${endpointPathOf(endpointId)}/deliveries${queryOf({ before, limit })}`;
    const { body } = await this.#call(path, 'deliveries');
    return body;
  }

  /**
   * Sends the event of a delivery again.
   *
   * @param {string} endpointId
   * @param {string} deliveryId
   * @returns {Promise<SentWebhookEvent>}
   * @throws {CartCheckoutError}
   */
  async resendWebhookDelivery(endpointId, deliveryId) {
    const path = `${endpointPathOf(endpointId)}/deliveries${segmentOf('deliveryId', deliveryId)}/resend`;
    const { body } = await this.#call(path, 'deliveryId', { method: 'POST' });
    return body;
  }

  /**
   * Verifies a webhook (Standard Webhooks).
   *
   * @param {string | readonly string[]} secret `whsec_...`, or several during a rotation
   * @param {WebhookHeaders} headers
   * @param {string | Uint8Array} rawBody the body as it arrived, not parsed and serialised again
   * @param {{ nowSeconds?: number }} [options] the Unix time, for tests
   * @returns {CartEvent | WebhookEndpointEvent | PingEvent}
   * @throws {WebhookVerificationError}
   */
  static verifyWebhook(secret, headers, rawBody, { nowSeconds = Date.now() / 1000 } = {}) {
    const timestamp = headerOf(headers, 'webhook-timestamp');
    const ageSeconds = /^\d{1,12}$/.test(timestamp) ? nowSeconds - Number(timestamp) : Infinity;
    if (Math.abs(ageSeconds) > WEBHOOK_TOLERANCE_SECONDS) {
      throw new WebhookVerificationError('webhook-timestamp is not within five minutes of this clock');
    }
    const start = `${headerOf(headers, 'webhook-id')}.${timestamp}.`;
    const given = headerOf(headers, 'webhook-signature')
      .split(' ')
      .map((signature) => Buffer.from(signature));
    const isSigned = [secret].flat().some((each) => {
      const hmac = createHmac('sha256', signingKeyOf(each)).update(start).update(rawBody);
      const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
      return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
    });
    if (!isSigned) throw new WebhookVerificationError('No signature is valid for this secret and body');
    return JSON.parse(Buffer.from(rawBody).toString());
  }

  toString() {
    return `CartCheckout(${this.#baseUrl})`;
  }

  /**
   * Sends a creation. All its requests have one `Idempotency-Key`.
   *
   * @param {string} path
   * @param {string} member a member of a complete response
   * @param {object} fields
   * @param {{ idempotencyKey?: string | null | undefined }} options
   */
  async #create(path, member, fields, options) {
    const idempotencyKey = options.idempotencyKey ?? randomUUID();
    // Any object would be the same text.
    if (typeof idempotencyKey !== 'string' || !/^[ -~]{1,255}$/.test(idempotencyKey)) {
      throw new TypeError('idempotencyKey is malformed');
    }
    const { headers, ...request } = jsonRequest('POST', fields);
    const named = { ...request, headers: { ...headers, 'Idempotency-Key': idempotencyKey } };
    const { response, body } = await this.#call(path, member, named);
    return { ...body, idempotencyKey, replayed: response.headers.get('Idempotent-Replayed') === 'true' };
  }

  /**
   * Retrieves a cart. If it has not changed since `latest`, the response has no body.
   *
   * @param {string} cartId
   * @param {{ body: Cart, etag: string | null }} [latest]
   * @param {number} [endsAt]
   * @returns {Promise<{ body: Cart, etag: string | null }>}
   */
  async #retrieve(cartId, latest, endsAt) {
    /** @type {Record<string, string>} */
    const headers = latest?.etag ? { 'If-None-Match': latest.etag } : {};
    const { response, body } = await this.#call(pathOf(cartId), 'id', { headers }, endsAt);
    return latest && response.status === 304 ? latest : { body, etag: response.headers.get('ETag') };
  }

  /**
   * Sends a request until it succeeds, cannot succeed, or its retries or its time are used up.
   *
   * @param {string} path
   * @param {string} member a member of a complete response
   * @param {Call} [request]
   * @param {number} [endsAt]
   */
  async #call(path, member, request = {}, endsAt = this.#options.now() + this.#options.deadlineSeconds) {
    const { isRepeatable = true, ...sent } = request;
    const { retriesMax, random, now, sleep } = this.#options;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#send(path, member, sent);
      } catch (error) {
        if (!(error instanceof CartCheckoutError && error.retryable) || retries >= retriesMax) throw error;
        if (!isRepeatable && error.status !== 429) throw error;
        // The random part spreads the retries of clients that failed at the same time.
        const pauseSeconds = error.retryAfterSeconds + random() * 0.5 * 2 ** retries;
        if (now() + pauseSeconds > endsAt) throw error;
        await sleep(pauseSeconds);
      }
    }
  }

  /**
   * Sends a request once.
   *
   * @param {string} path
   * @param {string} member a member of a complete response
   * @param {Call} request
   * @throws {CartCheckoutError} unless a complete response of the API reports success
   */
  async #send(path, member, request) {
    const headers = {
      ...request.headers,
      Authorization: `Bearer ${this.#apiKey}`,
      'User-Agent': 'cart-checkout-node/1.0.0',
    };
    const signal = AbortSignal.timeout(1000 * this.#options.timeoutSeconds);
    let response;
    let text;
    try {
      response = await fetch(this.#baseUrl + path, { ...request, headers, signal, redirect: 'manual' });
      text = await response.text();
    } catch (error) {
      // The request may have arrived. `#call` knows whether a retry is safe.
      const { message, cause } = /** @type {Error & { cause?: { code?: string } }} */ (error);
      throw new CartCheckoutError('NO_RESPONSE', cause?.code ?? message, { cause: error });
    }
    const body = parseJson(text);
    const isUnchanged = response.status === 304 && request.headers?.['If-None-Match'] !== undefined;
    if (isUnchanged || (response.ok && body instanceof Object && member in body)) return { response, body };
    throw errorOf(response, body);
  }
}
