import type { LogName } from '../lib/http/request-log.ts';
import type { Setting } from '../lib/settings/settings.ts';
import { type Access, DELIVERY_QUEUES } from './access.ts';

/** One HTTP operation of the service. */
export interface Operation<ServedBy extends string = string> {
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path from the root. A segment in braces, such as `{cartId}`, is a path parameter. */
  readonly path: string;
  /** The Lambda function that serves the operation, named after its folder in `functions/`. */
  readonly functionName: ServedBy;
  /**
   * The public contract has the merchants' operations. Buyers' operations are pages for a browser. The platform's are for
   * its own payment side, which signs its requests for IAM.
   */
  readonly caller: 'merchant' | 'buyer' | 'platform';
  /** The name of several operations in log lines and metrics, because CloudWatch bills each name. Default: the operation's own. */
  readonly loggedAs?: string;
  readonly access: readonly Access[];
  /** Further settings than those of every function, and the tables of `access`. */
  readonly settings: readonly Setting[];
}

/** The path of the payment page of test mode, without the cart's id. */
export const SANDBOX_CHECKOUT_PATH = '/sandbox/checkout';

/** The path of the page of errors, which the gateway serves itself. The header `Link` of an error leads to it. */
export const ERRORS_PATH = '/errors';

const PRODUCTS_PATH = '/api/v1/stores/products';

const PRODUCTS = {
  functionName: 'products',
  loggedAs: 'products',
  caller: 'merchant',
  access: ['takeToken', 'listProducts', 'findProduct'],
  settings: [],
} as const;

const WEBHOOK_ENDPOINTS_PATH = '/api/v1/stores/webhook-endpoints';

const WEBHOOK_ENDPOINTS = {
  functionName: 'webhook-endpoints',
  loggedAs: 'webhook-endpoints',
  caller: 'merchant',
  access: [
    'takeToken',
    'lockDnsCheck',
    'useEndpointIdempotencySecret',
    'manageEndpoints',
    'appendEndpointChanges',
  ],
  settings: ['publicUrl', ...DELIVERY_QUEUES, 'webhookLoopback'],
} as const;

/** Every HTTP operation, by name. The stack, the local stage, the contract and the tests loop over this table. */
export const OPERATIONS = {
  createCartCheckout: {
    method: 'POST',
    path: '/api/v1/stores/cart/checkout',
    functionName: 'create-cart-checkout',
    caller: 'merchant',
    // findCart: a retry with an idempotency key gets its cart even when the product is no longer sold.
    // listProducts: a rejection in test mode names products of the store.
    access: [
      'takeToken',
      'findProduct',
      'listProducts',
      'useCartIdempotencySecret',
      'createCart',
      'findCart',
    ],
    settings: ['liveCheckoutUrl', 'sandboxCheckoutUrl', 'cartExpirySeconds', 'cartRetentionSeconds'],
  },
  getCart: {
    method: 'GET',
    path: '/api/v1/stores/cart/{cartId}',
    functionName: 'get-cart',
    caller: 'merchant',
    access: ['takeToken', 'findCart'],
    settings: ['liveCheckoutUrl', 'sandboxCheckoutUrl'],
  },
  getPaymentCart: {
    method: 'GET',
    path: '/internal/v1/carts/{cartId}',
    functionName: 'get-cart',
    caller: 'platform',
    access: ['findCart', 'findStore'],
    settings: [],
  },
  expireCart: {
    method: 'POST',
    path: '/api/v1/stores/cart/{cartId}/expire',
    functionName: 'expire-cart',
    caller: 'merchant',
    access: ['takeToken', 'findCart', 'expireCart', 'appendAbandonments'],
    settings: [],
  },
  listEvents: {
    method: 'GET',
    path: '/api/v1/stores/events',
    functionName: 'list-events',
    caller: 'merchant',
    access: ['takeToken', 'readEvents'],
    settings: [],
  },
  listProducts: { ...PRODUCTS, method: 'GET', path: PRODUCTS_PATH },
  getProduct: { ...PRODUCTS, method: 'GET', path: `${PRODUCTS_PATH}/{productDocumentId}` },
  createWebhookEndpoint: { ...WEBHOOK_ENDPOINTS, method: 'POST', path: WEBHOOK_ENDPOINTS_PATH },
  listWebhookEndpoints: { ...WEBHOOK_ENDPOINTS, method: 'GET', path: WEBHOOK_ENDPOINTS_PATH },
  getWebhookEndpoint: { ...WEBHOOK_ENDPOINTS, method: 'GET', path: `${WEBHOOK_ENDPOINTS_PATH}/{endpointId}` },
  updateWebhookEndpoint: {
    ...WEBHOOK_ENDPOINTS,
    method: 'PATCH',
    path: `${WEBHOOK_ENDPOINTS_PATH}/{endpointId}`,
  },
  deleteWebhookEndpoint: {
    ...WEBHOOK_ENDPOINTS,
    method: 'DELETE',
    path: `${WEBHOOK_ENDPOINTS_PATH}/{endpointId}`,
  },
  rotateWebhookSecret: {
    ...WEBHOOK_ENDPOINTS,
    method: 'POST',
    path: `${WEBHOOK_ENDPOINTS_PATH}/{endpointId}/rotate-secret`,
  },
  testWebhookEndpoint: {
    ...WEBHOOK_ENDPOINTS,
    method: 'POST',
    path: `${WEBHOOK_ENDPOINTS_PATH}/{endpointId}/test`,
  },
  listWebhookDeliveries: {
    ...WEBHOOK_ENDPOINTS,
    method: 'GET',
    path: `${WEBHOOK_ENDPOINTS_PATH}/{endpointId}/deliveries`,
  },
  resendWebhookDelivery: {
    ...WEBHOOK_ENDPOINTS,
    method: 'POST',
    path: `${WEBHOOK_ENDPOINTS_PATH}/{endpointId}/deliveries/{deliveryId}/resend`,
  },
  openSandboxCheckout: {
    method: 'GET',
    path: `${SANDBOX_CHECKOUT_PATH}/{cartId}`,
    functionName: 'sandbox-checkout',
    loggedAs: 'sandbox-checkout',
    caller: 'buyer',
    access: ['findTestCart', 'findStore'],
    settings: [],
  },
  submitSandboxCheckout: {
    method: 'POST',
    path: `${SANDBOX_CHECKOUT_PATH}/{cartId}`,
    functionName: 'sandbox-checkout',
    loggedAs: 'sandbox-checkout',
    caller: 'buyer',
    access: ['findTestCart', 'takeTestAction', 'saveTestPayment', 'expireTestCart', 'appendTestEvents'],
    settings: [],
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;

// Without the annotations, the bundles of functions would have what is derived here.
export const ALL_OPERATIONS: readonly (typeof OPERATIONS)[OperationName][] =
  /* @__PURE__ */ Object.values(OPERATIONS);

export type HttpFunctionName = (typeof OPERATIONS)[OperationName]['functionName'];

/** How log lines and metrics name an operation. */
export const logNameOf = (name: OperationName): LogName => {
  const { loggedAs }: Operation = OPERATIONS[name];
  return { operation: loggedAs ?? name, hasRoute: loggedAs !== undefined };
};

/**
 * The common name of a function's requests in log lines and metrics. The platform's operations may have others.
 *
 * @throws Error if the operations of merchants and buyers have no common name
 */
export const logNameOfFunction = (name: HttpFunctionName): string => {
  const operations = (Object.keys(OPERATIONS) as OperationName[]).filter(
    (each) => OPERATIONS[each].functionName === name && OPERATIONS[each].caller !== 'platform',
  );
  const [common, ...others] = new Set(operations.map((each) => logNameOf(each).operation));
  if (common === undefined || others.length > 0) {
    throw new Error(`The operations of ${name} have no common name: give them the same loggedAs`);
  }
  return common;
};

/** The names of the operations that a function serves. */
export type OperationOf<Name extends HttpFunctionName> = {
  [Each in OperationName]: (typeof OPERATIONS)[Each]['functionName'] extends Name ? Each : never;
}[OperationName];
