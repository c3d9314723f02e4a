import { CfnOutput } from 'aws-cdk-lib';
import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { DomainConfig } from '../../stage/domain-config.ts';

/**
 * Serves the API at the root of a domain, over TLS 1.2 or later. The DNS record is set in the hosted zone, or is the output
 * `DomainRecord`.
 */
export const addCustomDomain = (
  scope: Construct,
  api: RestApi,
  { name, certificateArn, hostedZoneId }: DomainConfig,
): void => {
  const domain = api.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'DomainCertificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  const { domainNameAliasDomainName: dnsName, domainNameAliasHostedZoneId } = domain;
  if (hostedZoneId === undefined) {
    new CfnOutput(scope, 'DomainRecord', { value: `${name} CNAME ${dnsName}` });
    return;
  }
  new CfnRecordSet(scope, 'DomainRecordSet', {
    hostedZoneId,
    name,
    // IPv4 alone, as the endpoint.
    type: 'A',
    aliasTarget: { dnsName, hostedZoneId: domainNameAliasHostedZoneId },
  });
};

/**
 * Sends a message each day while a certificate that nobody has renewed is about to expire. ACM sends these events for 30 days before the
 * end of a public certificate, and for 45 days before that of an imported one.
 * https://docs.aws.amazon.com/acm/latest/userguide/supported-events.html
 */
export const notifyOfExpiry = (
  scope: Construct,
  { name, certificateArn }: DomainConfig,
  topic: ITopic,
): void => {
  const days = EventField.fromPath('$.detail.DaysToExpiry');
  const message = `The certificate of ${name} expires in ${days} days. Runbook: docs/runbook.md#the-certificate`;
  new Rule(scope, 'CertificateExpires', {
    eventPattern: {
      source: ['aws.acm'],
      detailType: ['ACM Certificate Approaching Expiration'],
      resources: [certificateArn],
    },
    targets: [new SnsTopic(topic, { message: RuleTargetInput.fromText(message) })],
  });
};
