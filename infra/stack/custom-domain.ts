import { CfnOutput } from 'aws-cdk-lib';
import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { DomainConfig } from '../domain-config.ts';

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
