import { ALL_OPERATIONS } from '../../functions/operations.ts';
import { API_ERRORS, type ApiErrorShape } from '../../lib/http/errors.ts';

/** The operations of merchants, without the actions on one cart or endpoint, such as `/expire`: their path begins with its path. */
const OPERATIONS = [
  ...Map.groupBy(
    ALL_OPERATIONS.filter(({ caller, path }) => caller === 'merchant' && !path.includes('}/')),
    ({ path }) => path,
  ),
].map(([path, routes]) => `${routes.map(({ method }) => method).join('/')} ${path}`);

/** The same for every unknown path, because the templates of API Gateway are static. */
const ROUTE_DETAILS = [
  {
    path: 'path',
    message: `Use ${OPERATIONS.slice(0, -1).join(', ')}, or ${OPERATIONS.at(-1)}. No path ends with a slash. The base address does not include /api/v1.`,
  },
];

/** The body of an error that the gateway sends itself, on AWS and on the local stage. */
export const gatewayErrorBody = ({ code, message }: ApiErrorShape): string =>
  JSON.stringify({
    code,
    message,
    ...(code === API_ERRORS.routeNotFound.code && { details: ROUTE_DETAILS }),
  });
