import { Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  Resource,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ERRORS_PATH, type HttpFunctionName, ALL_OPERATIONS } from '../../../functions/operations.ts';
import { ERRORS_PAGE_HEADERS, errorsPage } from '../../errors-page/errors-page.ts';
import {
  ERRORS_PAGE_THROTTLE,
  methodThrottleOf,
  OWN_RESPONSES_THROTTLE,
} from '../../stage/method-throttle.ts';
import type { StageConfig } from '../../stage/stage-config.ts';
import type { Throttle } from '../../stage/throttle.ts';
import { addLogGroup } from '../retention.ts';
import { ACCESS_LOG_FORMAT, ACCESS_LOG_FORMAT_WITH_HOST } from './access-log-format.ts';
import { addGatewayResponses, notFound, respondWith } from './gateway-responses.ts';
import { restrictCallers } from './internal-access.ts';

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

const optionsOf = ({ requestsPerSecond, burst }: Throttle): MethodDeploymentOptions => ({
  throttlingRateLimit: requestsPerSecond,
  throttlingBurstLimit: burst,
});

/**
 * The throttles of the operations, by path and method as API Gateway names them. It applies every limit to each method by
 * itself, also the one for all methods.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
const operationThrottles = (
  routes: typeof ALL_OPERATIONS,
  stage: Throttle,
): Record<string, MethodDeploymentOptions> =>
  Object.fromEntries(
    routes.map((route) => [`${route.path}/${route.method}`, optionsOf(methodThrottleOf(route, stage))]),
  );

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
    const routes = ALL_OPERATIONS.filter(({ functionName }) => functions.has(functionName));
    const accessLogs = addLogGroup(this, 'AccessLogs', retainsData);
    this.api = new RestApi(this, 'Api', {
      restApiName: `cart-checkout-${name}`,
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: domain?.hasDefaultEndpoint === false,
      policy: restrictCallers(paymentSenders.roleArn),
      deployOptions: {
        stageName: name,
        ...optionsOf(OWN_RESPONSES_THROTTLE),
        methodOptions: {
          ...operationThrottles(routes, throttle),
          [`${ERRORS_PATH}/GET`]: optionsOf(ERRORS_PAGE_THROTTLE),
        },
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
    addGatewayResponses(this.api, this.errorsUrl);
  }

  #addRoutes(routes: typeof ALL_OPERATIONS, functions: ApiGatewayProps['functions']): void {
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
