import {
  type GatewayResponseOptions,
  MockIntegration,
  PassthroughBehavior,
  ResponseType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { API_ERRORS, type ApiErrorShape, helpLink } from '../../../lib/http/errors.ts';
import { gatewayErrorBody } from '../../contract/gateway-error.ts';

/**
 * The gateway's own errors, in the shape of all others. Its 413 for more than 10 MB cannot have another body.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const GATEWAY_RESPONSES: readonly (readonly [type: ResponseType, error: ApiErrorShape])[] = [
  // API Gateway's name for an unknown route that the catch-all does not match.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, API_ERRORS.routeNotFound],
  [ResponseType.RESOURCE_NOT_FOUND, API_ERRORS.routeNotFound],
  // Only the catch-all checks a content type.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, API_ERRORS.routeNotFound],
  [ResponseType.WAF_FILTERED, API_ERRORS.forbidden],
  [ResponseType.ACCESS_DENIED, API_ERRORS.forbidden],
  // Only the platform's own operations have signatures.
  [ResponseType.INVALID_SIGNATURE, API_ERRORS.forbidden],
  [ResponseType.EXPIRED_TOKEN, API_ERRORS.forbidden],
  [ResponseType.THROTTLED, API_ERRORS.rateLimited],
  [ResponseType.QUOTA_EXCEEDED, API_ERRORS.rateLimited],
  [ResponseType.BAD_REQUEST_BODY, API_ERRORS.malformedRequest],
  [ResponseType.BAD_REQUEST_PARAMETERS, API_ERRORS.malformedRequest],
  [ResponseType.INTEGRATION_TIMEOUT, API_ERRORS.integrationTimeout],
  // Lambda throttled the function, or rejected the call. A function that fails is a 502, a `DEFAULT_5XX`.
  [ResponseType.INTEGRATION_FAILURE, API_ERRORS.serviceUnavailable],
];

/** All other types. They have no status here, because it would replace the specific one. */
const DEFAULT_RESPONSES: readonly (readonly [type: ResponseType, error: ApiErrorShape])[] = [
  [ResponseType.DEFAULT_4XX, API_ERRORS.malformedRequest],
  [ResponseType.DEFAULT_5XX, API_ERRORS.internal],
];

/** Errors whose response carries `Retry-After`. */
const RETRY_LATER: ReadonlySet<ApiErrorShape> = new Set([
  API_ERRORS.rateLimited,
  API_ERRORS.serviceUnavailable,
]);

/** A header's value in a mapping of API Gateway. It must not contain a single quote. */
const literal = (value: string): string => `'${value}'`;

const linkOf = ({ code }: ApiErrorShape, errorsUrl: string): string => literal(helpLink(errorsUrl, code));

const gatewayResponse = (
  type: ResponseType,
  error: ApiErrorShape,
  errorsUrl: string,
): GatewayResponseOptions => ({
  type,
  // Plain substitution: the gateway sends the text as it is.
  templates: { 'application/json': gatewayErrorBody(error) },
  responseHeaders: {
    Link: linkOf(error, errorsUrl),
    ...(RETRY_LATER.has(error) && { 'Retry-After': literal('1') }),
  },
});

/** A response that the gateway sends without a function. */
interface OwnResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Responds the same to each request, with a method that declares it. */
export const respondWith = ({ status, headers, body }: OwnResponse) => {
  const statusCode = String(status);
  const parametersOf = <Value>(valueOf: (value: string) => Value): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, valueOf(value)]),
    );
  return {
    integration: new MockIntegration({
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': `{"statusCode": ${statusCode}}` },
      integrationResponses: [
        {
          statusCode,
          responseParameters: parametersOf(literal),
          // API Gateway finds the template by this type. The header of the response can have another one.
          responseTemplates: { 'application/json': body },
        },
      ],
    }),
    options: { methodResponses: [{ statusCode, responseParameters: parametersOf(() => true) }] },
  };
};

/**
 * Responds 404 to requests that match no route. Without it, API Gateway would parse their `Authorization` header as an AWS
 * signature and respond 403 to an API key.
 */
export const notFound = (errorsUrl: string) =>
  respondWith({
    status: API_ERRORS.routeNotFound.status,
    headers: { Link: helpLink(errorsUrl, API_ERRORS.routeNotFound.code) },
    body: gatewayErrorBody(API_ERRORS.routeNotFound),
  });

/** Gives the gateway's own errors their responses. */
export const addGatewayResponses = (api: RestApi, errorsUrl: string): void => {
  for (const [type, error] of GATEWAY_RESPONSES) {
    const statusCode = String(error.status);
    api.addGatewayResponse(type.responseType, { ...gatewayResponse(type, error, errorsUrl), statusCode });
  }
  for (const [type, error] of DEFAULT_RESPONSES) {
    api.addGatewayResponse(type.responseType, gatewayResponse(type, error, errorsUrl));
  }
};
