import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { CartCheckoutStack } from '../../infra/cart-checkout-stack.ts';

let template: Template;

/** An app with the feature flags of `cdk.json`, which only the CDK's own command line reads. */
const givenApp = (): App => {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };
  return new App({ context });
};

beforeAll(() => {
  template = Template.fromStack(new CartCheckoutStack(givenApp(), 'CartCheckout'));
});

describe('the stack', () => {
  it.each(['keyId', 'id'])(
    'keeps items in on-demand tables by their partition key alone: %s',
    (partitionKey) => {
      template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: partitionKey, KeyType: 'HASH' }],
      });
    },
  );

  it('lets TTL delete carts, and nothing else', () => {
    const tables = template.findResources('AWS::DynamoDB::GlobalTable', {
      Properties: { TimeToLiveSpecification: { AttributeName: 'deleteAtSeconds', Enabled: true } },
    });
    expect(Object.keys(tables)).toStrictEqual([expect.stringMatching(/^Carts/)]);
    template.resourcePropertiesCountIs(
      'AWS::DynamoDB::GlobalTable',
      { TimeToLiveSpecification: Match.anyValue() },
      1,
    );
  });

  it('runs both operations on the Node.js 24 runtime for longer than the database may take', () => {
    template.resourcePropertiesCountIs(
      'AWS::Lambda::Function',
      { Runtime: 'nodejs24.x', Architectures: ['arm64'], Timeout: 6, Handler: 'index.handler' },
      2,
    );
  });
});
