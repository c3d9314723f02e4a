import type { ProxyFunction } from '../lib/http/pipeline.ts';
import { type HttpFunctionName, type OperationName, type OperationOf, OPERATIONS } from './operations.ts';

/**
 * Makes a function of several operations. Each request goes to the operation with its method and resource, which API Gateway
 * states, not the client. The compiler demands a handler for each operation of the function. A request of any other route
 * fails.
 */
export const byRoute = <FunctionName extends HttpFunctionName>(
  handlers: Readonly<Record<OperationOf<FunctionName>, ProxyFunction>>,
): ProxyFunction => {
  const routes = new Map(
    Object.entries<ProxyFunction>(handlers).map(([name, handler]) => {
      const { method, path } = OPERATIONS[name as OperationName];
      return [`${method} ${path}`, handler];
    }),
  );
  return (event, context) => {
    const route = `${event.httpMethod} ${event.resource}`;
    const handler = routes.get(route);
    return handler
      ? handler(event, context)
      : Promise.reject(new Error(`The function does not serve ${route}`));
  };
};
