import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { branchStage, fullStage, productionStage } from '../../support/stack/template.ts';

interface Tag {
  readonly Key: string;
  readonly Value: string;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: {
    readonly Tags?: readonly Tag[] | Readonly<Record<string, string>>;
    readonly ResourceTags?: readonly Tag[];
    /** The tags of a table are those of its replicas. */
    readonly Replicas?: readonly { readonly Tags: readonly Tag[] }[];
  };
}

const resourcesOf = (template: Template): readonly Resource[] =>
  Object.values(template.toJSON()['Resources'] as Readonly<Record<string, Resource>>);

const tagsOf = ({ Properties: { Tags, ResourceTags, Replicas = [] } = {} }: Resource): object | undefined => {
  const tags = Tags ?? ResourceTags ?? Replicas[0]?.Tags;
  return Array.isArray(tags)
    ? Object.fromEntries((tags as readonly Tag[]).map(({ Key, Value }) => [Key, Value]))
    : tags;
};

/** The types of a stage that take no tags in CloudFormation. */
const WITHOUT_TAGS: readonly string[] = [
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Resource',
  'AWS::IAM::Policy',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::LogStream',
  'AWS::Route53::RecordSet',
  'AWS::SNS::Subscription',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::WAFv2::WebACLAssociation',
];

const OWN = { service: 'cart-checkout' };

describe.each([
  ['a branch', branchStage, { ...OWN, stage: 'my-branch' }],
  ['production', productionStage, { ...OWN, stage: 'prod' }],
  ['a stage with every option', fullStage, { ...OWN, stage: 'full', team: 'shop', 'cost-centre': '42' }],
])('%s', (_what, stageOf, expected) => {
  it('has its tags on every resource that takes tags', () => {
    const resources = resourcesOf(stageOf().template).filter(({ Type }) => !WITHOUT_TAGS.includes(Type));
    expect(resources.length).toBeGreaterThan(50);
    for (const resource of resources) expect(tagsOf(resource), resource.Type).toMatchObject(expected);
  });
});

it('the types without tags are those of a stage', () => {
  const types = [fullStage, productionStage].flatMap((stageOf) => resourcesOf(stageOf().template));
  const used = new Set(types.map(({ Type }) => Type));
  expect(WITHOUT_TAGS.filter((type) => !used.has(type))).toStrictEqual([]);
});

describe('the daily budget', () => {
  const budgetOf = (template: Template): object =>
    (Object.values(template.findResources('AWS::Budgets::Budget'))[0] as { Properties: { Budget: object } })
      .Properties.Budget;

  it('counts the whole account, unless the context says the stage', () => {
    expect(budgetOf(productionStage().template)).not.toHaveProperty('FilterExpression');
    expect(budgetOf(fullStage().template)).toMatchObject({
      FilterExpression: {
        And: [
          { Tags: { Key: 'service', Values: ['cart-checkout'] } },
          { Tags: { Key: 'stage', Values: ['full'] } },
        ],
      },
      Metrics: ['UnblendedCost'],
    });
  });
});
