import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it, vi } from 'vitest';
import { PRODUCTION_CONTEXT } from '../../../infra/example-stages/contexts.ts';
import { synthesise } from '../../../infra/example-stages/synthesise.ts';
import { ACCESS_LOG_FORMAT } from '../../../infra/stack/gateway/access-log-format.ts';
import { branchStage, fullStage } from '../../support/stack/template.ts';

const WITH_DOMAIN = {
  ...PRODUCTION_CONTEXT,
  domain: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/one',
};

const branch = branchStage().template;
/** With a hosted zone, and without the default endpoint. */
const full = fullStage().template;
const production = synthesise(WITH_DOMAIN).template;
/** Production while merchants move from the default endpoint. */
const moving = synthesise({ ...WITH_DOMAIN, defaultEndpoint: 'true' }).template;

const idOf = (template: Template, type: string): string => {
  const ids = Object.keys(template.findResources(type));
  expect(ids).toHaveLength(1);
  return String(ids[0]);
};

describe('a custom domain', () => {
  it('has the API at its root, over TLS 1.2 or later', () => {
    const domain = idOf(production, 'AWS::ApiGateway::DomainName');
    production.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'api.example.com',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: WITH_DOMAIN.certificateArn,
      SecurityPolicy: 'TLS_1_2',
    });
    production.hasResourceProperties('AWS::ApiGateway::BasePathMapping', {
      BasePath: Match.absent(),
      DomainName: { Ref: domain },
      RestApiId: { Ref: idOf(production, 'AWS::ApiGateway::RestApi') },
      Stage: { Ref: idOf(production, 'AWS::ApiGateway::Stage') },
    });
  });

  it('has a message each day before its certificate expires, to the receivers of the alarms', () => {
    const topic = idOf(production, 'AWS::SNS::Topic');
    production.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.acm'],
        'detail-type': ['ACM Certificate Approaching Expiration'],
        resources: [WITH_DOMAIN.certificateArn],
      },
      State: 'ENABLED',
      Targets: [
        Match.objectLike({
          Arn: { Ref: topic },
          InputTransformer: {
            InputPathsMap: { 'detail-DaysToExpiry': '$.detail.DaysToExpiry' },
            InputTemplate:
              '"The certificate of api.example.com expires in <detail-DaysToExpiry> days. Runbook: docs/runbook.md#the-certificate"',
          },
        }),
      ],
    });
    production.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 'sns:Publish',
            Effect: 'Allow',
            Principal: { Service: 'events.amazonaws.com' },
            Resource: { Ref: topic },
          }),
        ]),
      }),
    });
    expect(JSON.stringify(branch.findResources('AWS::Events::Rule'))).not.toContain('aws.acm');
  });

  it('is the only address that outputs, functions, errors and the firewall have', () => {
    const expectVariables = (variables: object): void =>
      production.hasResourceProperties('AWS::Lambda::Function', {
        Environment: { Variables: Match.objectLike(variables) },
      });
    expectVariables({
      ERRORS_URL: 'https://api.example.com/errors',
      SANDBOX_CHECKOUT_URL: 'https://api.example.com/sandbox/checkout',
    });
    expectVariables({ PUBLIC_URL: 'https://api.example.com' });
    production.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseParameters: Match.objectLike({
        'gatewayresponse.header.Link': '\'<https://api.example.com/errors#FORBIDDEN>; rel="help"\'',
      }),
    });
    expect(JSON.stringify(production.findResources('AWS::WAFv2::WebACL'))).toContain(
      '<https://api.example.com/errors#RATE_LIMITED>',
    );
    production.hasOutput('BaseUrl', { Value: 'https://api.example.com/' });
    expect(JSON.stringify(production.toJSON()['Resources'])).not.toContain('.execute-api.');
  });

  it('gets its record in the hosted zone, for IPv4 as its endpoint', () => {
    const domain = idOf(full, 'AWS::ApiGateway::DomainName');
    full.hasResourceProperties('AWS::Route53::RecordSet', {
      HostedZoneId: 'Z0123456789ABC',
      Name: 'full.example.com',
      Type: 'A',
      AliasTarget: {
        DNSName: { 'Fn::GetAtt': [domain, 'RegionalDomainName'] },
        HostedZoneId: { 'Fn::GetAtt': [domain, 'RegionalHostedZoneId'] },
      },
    });
    full.resourceCountIs('AWS::Route53::RecordSet', 1);
    expect(full.findOutputs('DomainRecord')).toStrictEqual({});
  });

  it('has the record to set as an output without a hosted zone', () => {
    const domain = idOf(production, 'AWS::ApiGateway::DomainName');
    production.hasOutput('DomainRecord', {
      Value: {
        'Fn::Join': ['', ['api.example.com CNAME ', { 'Fn::GetAtt': [domain, 'RegionalDomainName'] }]],
      },
    });
    production.resourceCountIs('AWS::Route53::RecordSet', 0);
  });

  it('exists only with -c domain', () => {
    for (const type of ['ApiGateway::DomainName', 'ApiGateway::BasePathMapping', 'Route53::RecordSet']) {
      branch.resourceCountIs(`AWS::${type}`, 0);
    }
    expect(branch.findOutputs('DomainRecord')).toStrictEqual({});
  });

  it('needs a certificate of the region that the command line of the CDK has', () => {
    vi.stubEnv('CDK_DEFAULT_REGION', 'us-east-1');
    expect(() => synthesise(WITH_DOMAIN)).toThrow(
      'The certificateArn is of eu-west-1, but the stage is deployed to us-east-1',
    );
  });
});

describe('the default endpoint', () => {
  const expectDisabled = (template: Template, isDisabled: boolean): void =>
    template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: isDisabled });

  it('is disabled in production with a domain, and nowhere else unless a value says so', () => {
    for (const template of [production, full]) expectDisabled(template, true);
    for (const template of [branch, moving]) expectDisabled(template, false);
  });

  it('ends with a new deployment of the API, without which API Gateway would keep it', () => {
    const [before, after] = [moving, production].map((each) => idOf(each, 'AWS::ApiGateway::Deployment'));
    expect(after).not.toBe(before);
  });

  it('shows in the access log who still calls it', () => {
    const expectFormat = (template: Template, format: string): void =>
      template.hasResourceProperties('AWS::ApiGateway::Stage', { AccessLogSetting: { Format: format } });
    const fields = JSON.parse(ACCESS_LOG_FORMAT) as object;
    expectFormat(moving, JSON.stringify({ ...fields, host: '$context.domainName' }));
    expectFormat(production, ACCESS_LOG_FORMAT);
  });
});
