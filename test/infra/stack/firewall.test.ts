import { type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { branchStage, fullStage, productionStage } from '../../support/stack/template.ts';

const branch = branchStage().template;
const full = fullStage().template;
const production = productionStage().template;

interface FirewallRule {
  readonly Name: string;
  readonly Priority: number;
  readonly Statement: Readonly<Record<string, object>>;
  readonly Action?: { readonly Block: { readonly CustomResponse: object } };
  readonly VisibilityConfig: object;
}

interface Firewall {
  readonly Rules: readonly FirewallRule[];
  readonly VisibilityConfig: object;
  readonly CustomResponseBodies: object;
}

describe('the firewall', () => {
  const firewallOf = (template: Template): Firewall => {
    const [firewall] = Object.values(template.findResources('AWS::WAFv2::WebACL'));
    return (firewall as { Properties: Firewall }).Properties;
  };
  const ruleOf = (template: Template, name: string): FirewallRule | undefined =>
    firewallOf(template).Rules.find(({ Name }) => Name === name);
  const sameSpelling = [
    { Priority: 0, Type: 'COMPRESS_WHITE_SPACE' },
    { Priority: 1, Type: 'LOWERCASE' },
  ];
  const tooMany = {
    Block: {
      CustomResponse: {
        ResponseCode: 429,
        CustomResponseBodyKey: 'rateLimited',
        ResponseHeaders: [
          { Name: 'Link', Value: expect.anything() as unknown },
          { Name: 'Retry-After', Value: '60' },
        ],
      },
    },
  };

  it('stands in front of production and of stages that ask for it, and keeps no samples of requests', () => {
    branch.resourceCountIs('AWS::WAFv2::WebACL', 0);
    for (const template of [production, full]) {
      template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
      const { Rules, VisibilityConfig } = firewallOf(template);
      expect(Rules.map(({ Name }) => Name)).toStrictEqual([
        'RequestsPerAddress',
        'RequestsPerAuthorization',
        'LargeBodies',
        'AWSManagedRulesAmazonIpReputationList',
      ]);
      for (const visibility of [VisibilityConfig, ...Rules.map((rule) => rule.VisibilityConfig)]) {
        expect(visibility).toMatchObject({ SampledRequestsEnabled: false });
      }
    }
  });

  it.each([
    ['production', () => production, 30_000, 24_000],
    ['a stage with 5,000 requests a second', () => full, 150_000, 120_000],
  ])('allows an address half of the rate, and a key two fifths: %s', (_, template, address, key) => {
    expect(ruleOf(template(), 'RequestsPerAddress')).toMatchObject({
      Action: tooMany,
      Statement: {
        RateBasedStatement: { AggregateKeyType: 'IP', Limit: address, EvaluationWindowSec: 60 },
      },
    });
    expect(ruleOf(template(), 'RequestsPerAuthorization')).toMatchObject({
      Action: tooMany,
      Statement: {
        RateBasedStatement: {
          AggregateKeyType: 'CUSTOM_KEYS',
          CustomKeys: [{ Header: { Name: 'authorization', TextTransformations: sameSpelling } }],
          Limit: key,
          EvaluationWindowSec: 60,
        },
      },
    });
  });

  it('exempts the allowed networks from the limit of addresses alone', () => {
    const sets = Object.values(full.findResources('AWS::WAFv2::IPSet')) as { Properties: object }[];
    expect(sets.map(({ Properties }) => ({ ...Properties, Tags: undefined }))).toEqual([
      { Scope: 'REGIONAL', IPAddressVersion: 'IPV4', Addresses: ['203.0.113.0/24'] },
      { Scope: 'REGIONAL', IPAddressVersion: 'IPV6', Addresses: ['2001:db8::/32'] },
    ]);
    const allowed = ['IPV4', 'IPV6'].map((family) => ({
      IPSetReferenceStatement: {
        Arn: { 'Fn::GetAtt': [expect.stringContaining(`AllowedNetworks${family}`), 'Arn'] },
      },
    }));
    expect(ruleOf(full, 'RequestsPerAddress')?.Statement).toMatchObject({
      RateBasedStatement: {
        ScopeDownStatement: { NotStatement: { Statement: { OrStatement: { Statements: allowed } } } },
      },
    });
    expect(JSON.stringify(firewallOf(full).Rules.slice(1))).not.toContain('IPSetReference');
    production.resourceCountIs('AWS::WAFv2::IPSet', 0);
  });

  it('rejects a body that is not proved to be below 1 MB with 413', () => {
    const unchanged = [{ Priority: 0, Type: 'NONE' }];
    expect(ruleOf(production, 'LargeBodies')).toMatchObject({
      Action: { Block: { CustomResponse: { ResponseCode: 413, CustomResponseBodyKey: 'payloadTooLarge' } } },
      Statement: {
        AndStatement: {
          Statements: [
            {
              SizeConstraintStatement: {
                FieldToMatch: { Body: { OversizeHandling: 'MATCH' } },
                ComparisonOperator: 'GT',
                Size: 16_384,
                TextTransformations: unchanged,
              },
            },
            {
              NotStatement: {
                Statement: {
                  RegexMatchStatement: {
                    FieldToMatch: { SingleHeader: { Name: 'content-length' } },
                    RegexString: '^[0-9]{1,6}$',
                    TextTransformations: unchanged,
                  },
                },
              },
            },
          ],
        },
      },
    });
  });

  it('responds with the errors of the contract', () => {
    const body = (code: string, message: string) => ({
      ContentType: 'APPLICATION_JSON',
      Content: JSON.stringify({ code, message }),
    });
    expect(firewallOf(production).CustomResponseBodies).toStrictEqual({
      rateLimited: body('RATE_LIMITED', 'Too many requests. Please retry later.'),
      payloadTooLarge: body('PAYLOAD_TOO_LARGE', 'The payload is too large'),
    });
    const links = JSON.stringify(firewallOf(full).Rules).match(/<https:[^>]+>; rel=\\"help\\"/g);
    expect(links?.map((link) => link.replaceAll('\\', ''))).toStrictEqual(
      ['RATE_LIMITED', 'RATE_LIMITED', 'PAYLOAD_TOO_LARGE'].map(
        (code) => `<https://docs.example.com/carts/errors#${code}>; rel="help"`,
      ),
    );
  });
});
