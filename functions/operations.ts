/** Who calls an operation. Those of merchants are in the public contract; buyers open pages in a browser. */
export type Caller = 'merchant' | 'buyer';

/** One HTTP operation of the service. */
export interface Operation<FunctionName extends string = string> {
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path from the root. A segment in braces, such as `{cartId}`, is a path parameter. */
  readonly path: string;
  /** The Lambda function that serves it: its folder in `functions/`. */
  readonly functionName: FunctionName;
  readonly caller: Caller;
}

/** Every HTTP operation, by name. The stack, the local stage, the contract and the tests loop over this table. */
export const OPERATIONS = {
  createCartCheckout: {
    method: 'POST',
    path: '/api/v1/stores/cart/checkout',
    functionName: 'create-cart-checkout',
    caller: 'merchant',
  },
  getCart: {
    method: 'GET',
    path: '/api/v1/stores/cart/{cartId}',
    functionName: 'get-cart',
    caller: 'merchant',
  },
  openSandboxCheckout: {
    method: 'GET',
    path: '/sandbox/checkout/{cartId}',
    functionName: 'sandbox-checkout',
    caller: 'buyer',
  },
  submitSandboxCheckout: {
    method: 'POST',
    path: '/sandbox/checkout/{cartId}',
    functionName: 'sandbox-checkout',
    caller: 'buyer',
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;

/** The operations in {@link OPERATIONS} without their names. */
export const ROUTES: readonly (typeof OPERATIONS)[OperationName][] = Object.values(OPERATIONS);

/** The functions that serve HTTP. */
export type HttpFunctionName = (typeof OPERATIONS)[OperationName]['functionName'];

/** How long a function may take, in milliseconds, wherever it runs. */
export const FUNCTION_TIMEOUT_MS = 6_000;
