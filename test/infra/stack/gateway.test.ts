import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { ephemeralTemplate, templateOf } from './template.ts';

let ephemeral: Template;

beforeAll(() => {
  ephemeral = ephemeralTemplate();
});

describe('the gateway', () => {
  it("has the two routes of the document, those of test mode's payment page, and no other", () => {
    const resources = ephemeral.findResources('AWS::ApiGateway::Resource') as Record<
      string,
      { Properties: { ParentId: { Ref?: string }; PathPart: string } }
    >;
    const pathOf = (id: string | undefined): string => {
      const resource = id === undefined ? undefined : resources[id];
      return resource ? `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}` : '';
    };
    const routes = Object.values(ephemeral.findResources('AWS::ApiGateway::Method')).map((method) => {
      const { Properties } = method as { Properties: { HttpMethod: string; ResourceId: { Ref: string } } };
      return `${Properties.HttpMethod} ${pathOf(Properties.ResourceId.Ref)}`;
    });
    expect(routes.filter((route) => !route.startsWith('ANY ')).toSorted()).toStrictEqual([
      'GET /api/v1/stores/cart/{cartId}',
      'GET /sandbox/checkout/{cartId}',
      'POST /api/v1/stores/cart/checkout',
      'POST /sandbox/checkout/{cartId}',
    ]);
    // On every resource, and one that takes all other paths.
    expect(routes.filter((route) => route.startsWith('ANY ')).toSorted()).toStrictEqual(
      ['', ...Object.keys(resources).map(pathOf)].map((path) => `ANY ${path}`).toSorted(),
    );
    expect(routes).toContain('ANY /{proxy+}');
  });

  it('answers what no route takes by itself, with any method, signature and content type', () => {
    const methods = ephemeral.findResources('AWS::ApiGateway::Method', { Properties: { HttpMethod: 'ANY' } });
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
                ResponseTemplates: {
                  'application/json': JSON.stringify({
                    code: 'NOT_FOUND',
                    message: 'The requested route does not exist',
                  }),
                },
              },
            ],
          },
          MethodResponses: [{ StatusCode: '404' }],
        },
      });
    }
  });

  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['RESOURCE_NOT_FOUND', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['REQUEST_TOO_LARGE', '413', 'PAYLOAD_TOO_LARGE', 'The payload is too large'],
    ['BAD_REQUEST_BODY', '400', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['BAD_REQUEST_PARAMETERS', '400', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['UNSUPPORTED_MEDIA_TYPE', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['WAF_FILTERED', '403', 'FORBIDDEN', 'The request was refused'],
    ['ACCESS_DENIED', '403', 'FORBIDDEN', 'The request was refused'],
    ['INTEGRATION_TIMEOUT', '504', 'TIMEOUT', 'The service did not answer in time'],
  ])('shapes its own error %s', (type, status, code, message) => {
    ephemeral.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: type,
      StatusCode: status,
      ResponseTemplates: { 'application/json': JSON.stringify({ code, message }) },
      ResponseParameters: Match.absent(),
    });
  });

  it.each([
    ['THROTTLED', '429', 'RATE_LIMITED', 'Too many requests. Please retry later.'],
    ['QUOTA_EXCEEDED', '429', 'RATE_LIMITED', 'Too many requests. Please retry later.'],
    [
      'INTEGRATION_FAILURE',
      '503',
      'SERVICE_UNAVAILABLE',
      'The service is temporarily unavailable. Please retry later.',
    ],
  ])('shapes its own error %s, and says when to come back', (type, status, code, message) => {
    ephemeral.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: type,
      StatusCode: status,
      ResponseTemplates: { 'application/json': JSON.stringify({ code, message }) },
      ResponseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
    });
  });

  it.each([
    ['DEFAULT_4XX', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['DEFAULT_5XX', 'INTERNAL_ERROR', 'An internal error occurred'],
  ])('shapes every other error like %s, and leaves each its own status', (type, code, message) => {
    ephemeral.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: type,
      StatusCode: Match.absent(),
      ResponseTemplates: { 'application/json': JSON.stringify({ code, message }) },
    });
  });

  it('logs each access without headers, bodies or addresses', () => {
    ephemeral.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'my-branch',
      AccessLogSetting: {
        Format: JSON.stringify({
          requestId: '$context.requestId',
          requestTime: '$context.requestTime',
          httpMethod: '$context.httpMethod',
          resourcePath: '$context.resourcePath',
          status: '$context.status',
          protocol: '$context.protocol',
          responseLength: '$context.responseLength',
        }),
      },
    });
  });

  it('throttles all keys together', () => {
    ephemeral.hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: [Match.objectLike({ ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 })],
    });
  });

  it('throttles as many as the stage says', () => {
    const stages = templateOf({ stage: 'x', requestsPerSecond: '5000' }).findResources(
      'AWS::ApiGateway::Stage',
    );
    expect(Object.values(stages)).toMatchObject([
      { Properties: { MethodSettings: [{ ThrottlingRateLimit: 5_000, ThrottlingBurstLimit: 10_000 }] } },
    ]);
  });

  it('has a firewall in front where the stage says so, which keeps no samples of requests', () => {
    ephemeral.resourceCountIs('AWS::WAFv2::WebACL', 0);
    const template = templateOf({ stage: 'x', firewall: 'true' });
    template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
    const [firewall] = Object.values(template.findResources('AWS::WAFv2::WebACL')) as {
      Properties: { Rules: { Name: string; VisibilityConfig: object }[]; VisibilityConfig: object };
    }[];
    const { Rules = [], VisibilityConfig } = firewall?.Properties ?? {};
    expect(Rules.map(({ Name }) => Name)).toStrictEqual([
      'RequestsPerAddress',
      'AWSManagedRulesAmazonIpReputationList',
    ]);
    for (const visibility of [VisibilityConfig, ...Rules.map((rule) => rule.VisibilityConfig)]) {
      expect(visibility).toMatchObject({ SampledRequestsEnabled: false });
    }
  });
});
