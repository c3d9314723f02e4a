import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { productionStage } from '../infra/stack/template.ts';

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

/**
 * The resource types that hold data, each with the properties whose change makes CloudFormation replace the resource, or
 * DynamoDB delete other items (AWS CloudFormation template reference, "Update requires").
 */
const DATA_TYPES: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': [
    'TableName',
    'KeySchema',
    'LocalSecondaryIndexes',
    'TimeToLiveSpecification',
  ],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
};

/** The production templates of earlier releases, by the day of their release. */
const RELEASES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const json = readFileSync(join(import.meta.dirname, name, 'template.json'), 'utf8');
    return [name, JSON.parse(json) as Template] as const;
  });

let current: Template;
beforeAll(() => {
  current = productionStage().template.toJSON() as Template;
});

/** The part of a resource that must stay for its data to stay. */
const identityOf = (resource: Resource | undefined): unknown => {
  if (!resource) return 'deleted';
  const { Type, DeletionPolicy, UpdateReplacePolicy, Properties } = resource;
  const kept = (DATA_TYPES[Type] ?? []).map((name) => [name, Properties[name]]);
  return { Type, DeletionPolicy, UpdateReplacePolicy, ...Object.fromEntries(kept) };
};

describe.each(RELEASES)('a deployment over the production stack of %s', (_, earlier) => {
  const withData = Object.entries(earlier.Resources).filter(([, { Type }]) => Type in DATA_TYPES);

  it.each(withData)('neither replaces nor deletes %s', (id, resource) => {
    expect(identityOf(current.Resources[id])).toStrictEqual(identityOf(resource));
    // A key attribute of another type would replace the table. A new index may add attributes.
    const attributesOf = ({ Properties }: Resource) => (Properties['AttributeDefinitions'] ?? []) as object[];
    expect(attributesOf(current.Resources[id]!)).toEqual(expect.arrayContaining(attributesOf(resource)));
  });

  it('keeps every output', () => {
    expect(Object.keys(current.Outputs)).toEqual(expect.arrayContaining(Object.keys(earlier.Outputs)));
  });
});
