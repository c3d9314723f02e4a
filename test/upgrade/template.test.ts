import { describe, expect, it } from 'vitest';
import { productionStage } from '../support/stack/template.ts';
import {
  DATA_TYPES,
  readTemplate,
  FIXTURES,
  type StoredResource,
  type StoredTemplate,
  templateToStore,
} from './fixtures.ts';

const current = productionStage().template.toJSON() as StoredTemplate;
/** The part of a resource that must stay for its data to stay. */
const identityOf = (resource: StoredResource | undefined): unknown => {
  if (!resource) return 'deleted';
  const { Type, DeletionPolicy, UpdateReplacePolicy, Properties } = resource;
  const kept = (DATA_TYPES[Type] ?? []).map((name) => [name, Properties[name]]);
  return { Type, DeletionPolicy, UpdateReplacePolicy, ...Object.fromEntries(kept) };
};

/** The identity after a deployment. A table may get a time to live, because no stored item has the attribute. */
const identityAfter = (resource: StoredResource | undefined, before: StoredResource): unknown => {
  const identity = identityOf(resource);
  const hadTtl = before.Properties['TimeToLiveSpecification'] !== undefined;
  return typeof identity === 'object' && !hadTtl
    ? { ...identity, TimeToLiveSpecification: undefined }
    : identity;
};

it('every resource with data, and every output, is in the template that a fixture stores', () => {
  const { Resources, Outputs } = templateToStore(current);
  const types = new Set(Object.values(Resources).map(({ Type }) => Type));
  expect(types).toStrictEqual(new Set(Object.keys(DATA_TYPES)));
  expect(Object.keys(Outputs)).toStrictEqual(Object.keys(current.Outputs));
});

describe.each(FIXTURES)('a deployment over the production stack of %s', (date) => {
  const { Resources, Outputs } = readTemplate(date);

  it.each(Object.entries(Resources))('neither replaces nor deletes %s', (id, resource) => {
    expect(identityAfter(current.Resources[id], resource)).toEqual(identityOf(resource));
    // A key attribute of another type would replace the table. A new index may add attributes.
    const attributesOf = ({ Properties }: StoredResource) =>
      (Properties['AttributeDefinitions'] ?? []) as object[];
    expect(attributesOf(current.Resources[id]!)).toEqual(expect.arrayContaining(attributesOf(resource)));
  });

  it('keeps every output', () => {
    expect(Object.keys(current.Outputs)).toEqual(expect.arrayContaining(Object.keys(Outputs)));
  });
});
