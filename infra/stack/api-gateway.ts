import { Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AuthorizationType,
  type GatewayResponseOptions,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MockIntegration,
  PassthroughBehavior,
  Resource,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { API_ERRORS, type ApiErrorShape, helpLink } from '../../lib/http/errors.ts';
import { ERRORS_PATH, type HttpFunctionName, type Operation, ROUTES } from '../../functions/operations.ts';
import { ERRORS_PAGE_HEADERS, errorsPage } from '../errors-page/errors-page.ts';
import { gatewayErrorBody } from '../contract/gateway-error.ts';
import { type OperationLimits, operationLimitsOf, type Throttle } from '../stage/function-limits.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import { ACCESS_LOG_FORMAT, ACCESS_LOG_FORMAT_WITH_HOST } from './access-log-format.ts';
import { restrictCallers } from './internal-access.ts';
import { addLogGroup } from './retention.ts';

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
const respondWith = ({ status, headers, body }: OwnResponse) => {
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
const notFound = (errorsUrl: string) =>
  respondWith({
    status: API_ERRORS.routeNotFound.status,
    headers: { Link: helpLink(errorsUrl, API_ERRORS.routeNotFound.code) },
    body: gatewayErrorBody(API_ERRORS.routeNotFound),
  });

/** A resource and all resources below it. */
const resourcesFrom = (resource: IResource): IResource[] => [
  resource,
  ...resource.node.children.filter((child) => child instanceof Resource).flatMap(resourcesFrom),
];

/** The cdk-nag rules that this API satisfies in another way, each with the reason. */
const ACKNOWLEDGED = {
  'AwsSolutions::AwsSolutions-APIG2':
    'The functions validate every request after its API key. A validator in the gateway would come first and reveal the schema to callers without a key.',
  'AwsSolutions::AwsSolutions-APIG4':
    'Each function authenticates the API key and takes a token in one conditional write. An authorizer would cost a second round trip, and its cache would admit revoked keys.',
  'AwsSolutions::AwsSolutions-APIG6':
    'Execution logs hold headers and bodies, and with them API keys and personal data. The access logs hold neither.',
  'AwsSolutions::AwsSolutions-COG4':
    "The clients are merchants' servers with API keys, not users who sign in.",
} as const;

/** A payment page reads a cart a few times. Most requests are merchants' retrievals. */
const PLATFORM_LIMITS: OperationLimits = { rate: 1 / 5, burst: 1 / 5 };

const throttleOf = ({ functionName, caller }: Operation<HttpFunctionName>, stage: Throttle) => {
  const { rate, burst, max } = caller === 'platform' ? PLATFORM_LIMITS : operationLimitsOf(functionName);
  return {
    throttlingRateLimit: Math.min(
      Math.max(1, rate * stage.requestsPerSecond),
      max?.requestsPerSecond ?? Infinity,
    ),
    throttlingBurstLimit: Math.min(Math.ceil(burst * stage.burst), max?.burst ?? Infinity),
  };
};

/**
 * The limit of each method that no function serves: of unknown paths and preflights. `ANY` is a method for each of seven
 * verbs. API Gateway does not charge for a throttled request.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-pricing.html
 */
const OWN_RESPONSES: MethodDeploymentOptions = { throttlingRateLimit: 1, throttlingBurstLimit: 20 };

/** Every `Link` of an error leads to the page. One crawler must not keep it from the merchants. */
const ERRORS_PAGE: MethodDeploymentOptions = { throttlingRateLimit: 20, throttlingBurstLimit: 100 };

/**
 * The throttles of the operations, by path and method as API Gateway names them. It applies every limit to each method by
 * itself, also the one for all methods.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
const operationThrottles = (
  routes: typeof ROUTES,
  stage: Throttle,
): Record<string, MethodDeploymentOptions> =>
  Object.fromEntries(routes.map((route) => [`${route.path}/${route.method}`, throttleOf(route, stage)]));

interface ApiGatewayProps extends Pick<
  StageConfig,
  'name' | 'retainsData' | 'throttle' | 'paymentSenders' | 'domain' | 'docsUrl'
> {
  /** Each function's alias. */
  readonly functions: ReadonlyMap<HttpFunctionName, IFunction>;
}

/** The public API: the routes, the gateway's own errors, throttling, and access logs without headers or bodies. */
export class ApiGateway extends Construct {
  readonly api: RestApi;
  /** The address of the stage, without a slash at the end. */
  readonly publicUrl: string;
  /** The address of the page of errors. */
  readonly errorsUrl: string;

  constructor(scope: Construct, id: string, props: ApiGatewayProps) {
    super(scope, id);
    const { name, retainsData, throttle, paymentSenders, domain, docsUrl, functions } = props;
    // A stage may lack the sandbox.
    const routes = ROUTES.filter(({ functionName }) => functions.has(functionName));
    const accessLogs = addLogGroup(this, 'AccessLogs', retainsData);
    this.api = new RestApi(this, 'Api', {
      restApiName: `cart-checkout-${name}`,
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: domain?.hasDefaultEndpoint === false,
      policy: restrictCallers(paymentSenders.roleArn),
      deployOptions: {
        stageName: name,
        ...OWN_RESPONSES,
        methodOptions: { ...operationThrottles(routes, throttle), [`${ERRORS_PATH}/GET`]: ERRORS_PAGE },
        tracingEnabled: true,
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        accessLogFormat: AccessLogFormat.custom(
          domain?.hasDefaultEndpoint === true ? ACCESS_LOG_FORMAT_WITH_HOST : ACCESS_LOG_FORMAT,
        ),
      },
    });
    const { region, urlSuffix } = Stack.of(this);
    // Not `api.url`: it depends on the deployment, which depends on the functions that read these values.
    this.publicUrl = domain
      ? `https://${domain.name}`
      : `https://${this.api.restApiId}.execute-api.${region}.${urlSuffix}/${name}`;
    this.errorsUrl = `${docsUrl ?? this.publicUrl}${ERRORS_PATH}`;
    this.#addRoutes(routes, functions);
    for (const [rule, reason] of Object.entries(ACKNOWLEDGED)) {
      Validations.of(this).acknowledge({ id: rule, reason });
    }
    for (const [type, error] of GATEWAY_RESPONSES) {
      const statusCode = String(error.status);
      this.api.addGatewayResponse(type.responseType, {
        ...gatewayResponse(type, error, this.errorsUrl),
        statusCode,
      });
    }
    for (const [type, error] of DEFAULT_RESPONSES) {
      this.api.addGatewayResponse(type.responseType, gatewayResponse(type, error, this.errorsUrl));
    }
  }

  #addRoutes(routes: typeof ROUTES, functions: ApiGatewayProps['functions']): void {
    for (const { method, path, functionName, caller } of routes) {
      const resource = this.api.root.resourceForPath(path);
      const lambda = functions.get(functionName) as IFunction;
      resource.addMethod(method, new LambdaIntegration(lambda, { allowTestInvoke: false }), {
        authorizationType: caller === 'platform' ? AuthorizationType.IAM : AuthorizationType.NONE,
      });
    }
    const page = respondWith({ status: 200, headers: ERRORS_PAGE_HEADERS, body: errorsPage() });
    this.api.root.resourceForPath(ERRORS_PATH).addMethod('GET', page.integration, page.options);
    this.api.root.addResource('{proxy+}');
    const { integration, options } = notFound(this.errorsUrl);
    for (const resource of resourcesFrom(this.api.root)) resource.addMethod('ANY', integration, options);
  }
}
