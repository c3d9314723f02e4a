import { DELIVERY_QUEUE_VARIABLES, type ENV_NAMES } from '../lib/settings/env-names.ts';

/** A right of a function on the tables of the stage. `infra/stack/permissions.ts` has the permissions of each. */
export type Access =
  | 'takeToken'
  | 'checkAddress'
  | 'findProduct'
  | 'findStore'
  | 'readCartSecret'
  | 'readEndpointSecret'
  | 'readCanaryKey'
  | 'findCart'
  | 'createCart'
  | 'savePayment'
  | 'findTestCart'
  | 'saveTestPayment'
  | 'expireTestCart'
  | 'takeTestAction'
  | 'expireCart'
  | 'appendPayments'
  | 'appendAbandonments'
  | 'appendEndpointChanges'
  | 'appendTestEvents'
  | 'readEvents'
  | 'findEndpoints'
  | 'manageEndpoints'
  | 'deliver'
  | 'runTimers';

/** The address of a delivery queue. It comes with the permission to send to the queue. */
export type QueueSetting = (typeof DELIVERY_QUEUE_VARIABLES)[number];

/** A value of the stage in a function's environment, by its name in `lib/settings/env-names.ts`. */
export type Setting =
  | 'liveCheckoutUrl'
  | 'sandboxCheckoutUrl'
  | 'cartExpirySeconds'
  | 'cartRetentionSeconds'
  | 'sourceHashKey'
  | 'errorsUrl'
  | 'publicUrl'
  | QueueSetting;

/** One HTTP operation of the service. */
export interface Operation<FunctionName extends string = string> {
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path from the root. A segment in braces, such as `{cartId}`, is a path parameter. */
  readonly path: string;
  /** The Lambda function that serves the operation, named after its folder in `functions/`. */
  readonly functionName: FunctionName;
  /**
   * The public contract has the merchants' operations. Buyers' operations are pages for a browser. The platform's are for
   * its own payment side, which signs its requests for IAM.
   */
  readonly caller: 'merchant' | 'buyer' | 'platform';
  readonly access: readonly Access[];
  readonly settings: readonly Setting[];
}

/** The path of the payment page of test mode, without the cart's id. */
export const SANDBOX_CHECKOUT_PATH = '/sandbox/checkout';

/** The path of the page of errors, which the gateway serves itself. The header `Link` of an error leads to it. */
export const ERRORS_PATH = '/errors';

const WEBHOOK_ENDPOINTS_PATH = '/api/v1/stores/webhook-endpoints';

const WEBHOOK_ENDPOINTS = {
  functionName: 'webhook-endpoints',
  caller: 'merchant',
  access: ['takeToken', 'checkAddress', 'readEndpointSecret', 'manageEndpoints', 'appendEndpointChanges'],
  settings: ['publicUrl', ...DELIVERY_QUEUE_VARIABLES],
} as const;

/** Every HTTP operation, by name. The stack, the local stage, the contract and the tests loop over this table. */
export const OPERATIONS = {
  createCartCheckout: {
    method: 'POST',
    path: '/api/v1/stores/cart/checkout',
    functionName: 'create-cart-checkout',
    caller: 'merchant',
    // findCart: a retry with an idempotency key gets its cart even when the product is no longer sold.
    access: ['takeToken', 'findProduct', 'readCartSecret', 'createCart', 'findCart'],
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
    caller: 'buyer',
    access: ['findTestCart', 'findStore'],
    settings: [],
  },
  submitSandboxCheckout: {
    method: 'POST',
    path: `${SANDBOX_CHECKOUT_PATH}/{cartId}`,
    functionName: 'sandbox-checkout',
    caller: 'buyer',
    access: ['findTestCart', 'takeTestAction', 'saveTestPayment', 'expireTestCart', 'appendTestEvents'],
    settings: [],
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;

export const ROUTES: readonly (typeof OPERATIONS)[OperationName][] = Object.values(OPERATIONS);

export type HttpFunctionName = (typeof OPERATIONS)[OperationName]['functionName'];

const union = <Item>(lists: readonly (readonly Item[])[]): Item[] => [...new Set(lists.flat())];

/** The settings of every pipeline: for the log line of a request, and for the response to a rejected one. */
const PIPELINE_SETTINGS: readonly Setting[] = ['sourceHashKey', 'errorsUrl'];

/** The functions behind {@link OPERATIONS}, each once, with the union of its operations' needs. */
export const HTTP_FUNCTIONS = [...Map.groupBy(ROUTES, ({ functionName }) => functionName)].map(
  ([name, operations]) => ({
    name,
    access: union(operations.map(({ access }) => access)),
    settings: union([PIPELINE_SETTINGS, ...operations.map(({ settings }) => settings)]),
  }),
);

interface EventFunction {
  readonly access: readonly Access[];
  /** Its environment variables besides the stage's name and those of its access. */
  readonly variables: readonly (keyof typeof ENV_NAMES)[];
}

/** The functions that events invoke, not HTTP requests. */
export const EVENT_FUNCTIONS = {
  'record-payment': {
    access: ['findCart', 'savePayment', 'appendPayments'],
    variables: ['paymentsQueueUrl'],
  },
  // It sends requests, as a merchant does. Its own key is all that it reads.
  canary: { access: ['readCanaryKey'], variables: ['publicUrl'] },
  'fan-out-events': {
    access: ['findStore', 'findEndpoints'],
    variables: ['eventBusName', ...DELIVERY_QUEUE_VARIABLES, 'setAsideQueueUrl'],
  },
  'run-due': {
    access: ['runTimers', 'appendAbandonments'],
    variables: [...DELIVERY_QUEUE_VARIABLES, 'personalDataDays'],
  },
  'deliver-webhooks': {
    access: ['deliver', 'findStore'],
    variables: [...DELIVERY_QUEUE_VARIABLES, 'eventBusName'],
  },
} as const satisfies Readonly<Record<string, EventFunction>>;

/** The time limit of HTTP functions, in AWS and on the local stage. */
export const FUNCTION_TIMEOUT_MS = 6_000;

/** The time limit of `deliver-webhooks`: two attempts of an endpoint that hangs, one after the other. */
export const DELIVERIES_TIMEOUT_MS = 30_000;
