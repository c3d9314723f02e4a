import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../../functions/operations.ts';
import { gatewayErrorBody } from '../../../infra/contract/gateway-error.ts';
import { errorsPage } from '../../../infra/errors-page/errors-page.ts';
import { TRACED_SHARE } from '../../../infra/stage/stage-config.ts';
import { API_ERRORS } from '../../../lib/http/errors.ts';
import { branchStage, fullStage, productionStage } from '../../support/stack/template.ts';

const branch = branchStage().template;
const production = productionStage().template;
const full = fullStage().template;

/** An address of the stage of the branch, of which CloudFormation joins the parts. */
const addressOf = (end: string, start = ''): unknown[] => [
  `${start}https://`,
  { Ref: Object.keys(branch.findResources('AWS::ApiGateway::RestApi'))[0] },
  '.execute-api.',
  { Ref: 'AWS::Region' },
  '.',
  { Ref: 'AWS::URLSuffix' },
  end,
];

/** The header `Link` of an error, as a literal of API Gateway. */
const linkTo = (code: string) => ({
  'Fn::Join': ['', addressOf(`/my-branch/errors#${code}>; rel="help"'`, "'<")],
});

describe('the gateway', () => {
  it('has a route for each operation, the page of errors and a catch-all on every path, and no other', () => {
    const resources = branch.findResources('AWS::ApiGateway::Resource') as Record<
      string,
      { Properties: { ParentId: { Ref?: string }; PathPart: string } }
    >;
    const pathOf = (id: string | undefined): string => {
      const resource = id === undefined ? undefined : resources[id];
      return resource ? `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}` : '';
    };
    const methods = Object.values(branch.findResources('AWS::ApiGateway::Method')).map((method) => {
      const { Properties } = method as { Properties: { HttpMethod: string; ResourceId: { Ref: string } } };
      return `${Properties.HttpMethod} ${pathOf(Properties.ResourceId.Ref)}`;
    });
    const catchAlls = ['', ...Object.keys(resources).map(pathOf)].map((path) => `ANY ${path}`);
    expect(methods.toSorted()).toStrictEqual(
      [
        ...ALL_OPERATIONS.map(({ method, path }) => `${method} ${path}`),
        'GET /errors',
        ...catchAlls,
      ].toSorted(),
    );
    expect(methods).toContain('ANY /{proxy+}');
  });

  it('responds to all else by itself, with any method, signature and content type', () => {
    const methods = branch.findResources('AWS::ApiGateway::Method', { Properties: { HttpMethod: 'ANY' } });
    for (const method of Object.values(methods)) {
      expect(method).toMatchObject({
        Properties: {
          AuthorizationType: 'NONE',
          Integration: {
            Type: 'MOCK',
            PassthroughBehavior: 'NEVER',
            RequestTemplates: { 'application/json': '{"statusCode": 404}' },
            IntegrationResponses: [
              {
                StatusCode: '404',
                ResponseTemplates: { 'application/json': gatewayErrorBody(API_ERRORS.routeNotFound) },
                ResponseParameters: { 'method.response.header.Link': linkTo('NOT_FOUND') },
              },
            ],
          },
          MethodResponses: [
            { StatusCode: '404', ResponseParameters: { 'method.response.header.Link': true } },
          ],
        },
      });
    }
  });

  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['RESOURCE_NOT_FOUND', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['UNSUPPORTED_MEDIA_TYPE', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['BAD_REQUEST_BODY', '400', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['BAD_REQUEST_PARAMETERS', '400', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['WAF_FILTERED', '403', 'FORBIDDEN', 'The request was refused'],
    ['INVALID_SIGNATURE', '403', 'FORBIDDEN', 'The request was refused'],
    ['EXPIRED_TOKEN', '403', 'FORBIDDEN', 'The request was refused'],
    ['ACCESS_DENIED', '403', 'FORBIDDEN', 'The request was refused'],
    ['INTEGRATION_TIMEOUT', '504', 'TIMEOUT', 'The service did not answer in time'],
    ['THROTTLED', '429', 'RATE_LIMITED', 'Too many requests. Please retry later.'],
    ['QUOTA_EXCEEDED', '429', 'RATE_LIMITED', 'Too many requests. Please retry later.'],
    [
      'INTEGRATION_FAILURE',
      '503',
      'SERVICE_UNAVAILABLE',
      'The service is temporarily unavailable. Please retry later.',
    ],
    ['DEFAULT_4XX', undefined, 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['DEFAULT_5XX', undefined, 'INTERNAL_ERROR', 'An internal error occurred'],
  ])('shapes its own error %s; the default ones keep their status', (type, status, code, message) => {
    const retryLater = status === '429' || status === '503';
    branch.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: type,
      StatusCode: status ?? Match.absent(),
      ResponseTemplates: { 'application/json': gatewayErrorBody({ status: Number(status), code, message }) },
      ResponseParameters: {
        'gatewayresponse.header.Link': linkTo(code),
        ...(retryLater && { 'gatewayresponse.header.Retry-After': "'1'" }),
      },
    });
  });

  it('serves the page of errors by itself, to every caller', () => {
    branch.hasResourceProperties('AWS::ApiGateway::Method', {
      HttpMethod: 'GET',
      AuthorizationType: 'NONE',
      Integration: {
        Type: 'MOCK',
        RequestTemplates: { 'application/json': '{"statusCode": 200}' },
        IntegrationResponses: [
          {
            StatusCode: '200',
            ResponseTemplates: { 'application/json': errorsPage() },
            ResponseParameters: {
              'method.response.header.Content-Type': "'text/html; charset=utf-8'",
              'method.response.header.Cache-Control': "'no-cache'",
              'method.response.header.Referrer-Policy': "'no-referrer'",
              'method.response.header.X-Content-Type-Options': "'nosniff'",
            },
          },
        ],
      },
      MethodResponses: [
        {
          StatusCode: '200',
          ResponseParameters: Match.objectLike({ 'method.response.header.Content-Type': true }),
        },
      ],
    });
  });

  it('links errors to its own page, or to that of docsUrl, also in functions', () => {
    const expectAddress = (template: Template, address: unknown): void =>
      template.hasResourceProperties('AWS::Lambda::Function', {
        Environment: { Variables: Match.objectLike({ ERRORS_URL: address }) },
      });
    expectAddress(branch, { 'Fn::Join': ['', addressOf('/my-branch/errors')] });
    expectAddress(full, 'https://docs.example.com/carts/errors');
    full.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseParameters: Match.objectLike({
        'gatewayresponse.header.Link': '\'<https://docs.example.com/carts/errors#FORBIDDEN>; rel="help"\'',
      }),
    });
  });

  it('logs of each access only what the gateway alone knows: no header, body, address or path', () => {
    branch.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'my-branch',
      AccessLogSetting: {
        Format: JSON.stringify({
          requestId: '$context.requestId',
          status: '$context.status',
          error: '$context.error.responseType',
          bytes: '$context.responseLength',
          ms: '$context.responseLatency',
        }),
      },
    });
  });

  it('is traced for one request in a hundred in production, and by the default rule elsewhere', () => {
    branch.resourceCountIs('AWS::XRay::SamplingRule', 0);
    production.resourceCountIs('AWS::XRay::SamplingRule', 1);
    production.hasResourceProperties('AWS::XRay::SamplingRule', {
      SamplingRule: {
        RuleName: 'cart-checkout-prod',
        Version: 1,
        Priority: 1_000,
        ReservoirSize: 0,
        FixedRate: TRACED_SHARE,
        ServiceType: 'AWS::ApiGateway::Stage',
        ServiceName: 'cart-checkout-prod/prod',
        Host: '*',
        HTTPMethod: '*',
        URLPath: '*',
        ResourceARN: '*',
      },
    });
    const names = [branch, production].map((template) => {
      const [api] = Object.values(template.findResources('AWS::ApiGateway::RestApi'));
      return (api as { Properties: { Name: string } }).Properties.Name;
    });
    expect(names).toStrictEqual(['cart-checkout-my-branch', 'cart-checkout-prod']);
    for (const template of [branch, production])
      template.hasResourceProperties('AWS::ApiGateway::Stage', { TracingEnabled: true });
  });
});

describe('the dashboard', () => {
  it.each([
    '5XXError',
    'ServerErrors',
    'ClientErrors',
    'Latency',
    'RequestsLimited',
    'by keyId, storeId',
    'CartsCreated',
    'CartsCompleted',
    'CartsAbandoned',
    'IteratorAge',
    'DeliveryAttemptsFailed',
  ])('shows %s', (shown) => {
    const dashboards = production.findResources('AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(dashboards)).toContain(shown);
  });

  it('exists in production, and on other stages only with -c dashboard=true', () => {
    branch.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
    full.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    for (const template of [production, full])
      expect(template.findOutputs('DashboardName')).not.toStrictEqual({});
  });
});

describe('the stack', () => {
  it('has a name made of its stage, and no unacknowledged finding of cdk-nag', () => {
    const names = [branchStage, productionStage, fullStage].map((stage) => stage().stack.stackName);
    expect(names).toStrictEqual(['CartCheckout-my-branch', 'CartCheckout-prod', 'CartCheckout-full']);
  });

  it('has the outputs by which an operator finds the stage, under fixed names', () => {
    const outputs = Object.keys(branch.toJSON()['Outputs'] as object);
    // The CDK adds one of its own for every REST API.
    expect(outputs.filter((name) => !name.startsWith('Gateway')).toSorted()).toStrictEqual([
      'AlarmTopicArn',
      'ApiId',
      'ApiKeysTable',
      'AuditLogGroup',
      'BaseUrl',
      'CartExpiryMinutes',
      'CartsTable',
      'DeliveriesTable',
      'DeliveryDeadLetterQueueUrl',
      'DeliveryQueueUrl',
      'ErasuresTable',
      'EventBusName',
      'EventDeadLetterQueueUrl',
      'EventsTable',
      'KeyRequestsAtOnceMax',
      'KeyRequestsPerSecondMax',
      'PaymentDeadLetterQueueUrl',
      'PaymentSource',
      'PaymentsQueueUrl',
      'PersonalDataDays',
      'ProductsTable',
      'Release',
      'SecretsTable',
      'SlowDeliveryQueueUrl',
      'SlowTestDeliveryQueueUrl',
      'StageValues',
      'StoresTable',
      'TestCartsTable',
      'TestDeliveryQueueUrl',
      'WebhookEndpointsTable',
    ]);
  });

  it('has termination protection in production only', () => {
    expect(productionStage().stack.terminationProtection).toBe(true);
    expect(branchStage().stack.terminationProtection).toBe(false);
  });
});
