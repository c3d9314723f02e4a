/** One public operation: which function answers which method and path. */
export interface Route<Name extends string = string> {
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path from the root; a segment in braces, such as `{cartId}`, is a path parameter. */
  readonly path: string;
  readonly functionName: Name;
}

/** The public operations, shared by the deployed gateway and the local one so that they cannot differ. */
export const ROUTES = [
  { method: 'POST', path: '/api/v1/stores/cart/checkout', functionName: 'create-cart-checkout' },
  { method: 'GET', path: '/api/v1/stores/cart/{cartId}', functionName: 'get-cart' },
  { method: 'GET', path: '/sandbox/checkout/{cartId}', functionName: 'sandbox-checkout' },
  { method: 'POST', path: '/sandbox/checkout/{cartId}', functionName: 'sandbox-checkout' },
] as const satisfies readonly Route[];

/** The functions behind {@link ROUTES}. */
export type FunctionName = (typeof ROUTES)[number]['functionName'];

/** How long a function behind a route may take, in milliseconds, wherever it runs. */
export const FUNCTION_TIMEOUT_MS = 6_000;
