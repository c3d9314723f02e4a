import { beforeAll, describe, expect, it } from 'vitest';
import { productionStage } from '../infra/stack/template.ts';
import {
  DATA_TYPES,
  readTemplate,
  type StoredResource,
  type StoredTemplate,
  TEMPLATE_FOLDERS,
} from './fixtures.ts';

/** The production templates of earlier releases, each with the name of its release. */
const RELEASES = TEMPLATE_FOLDERS.map((name) => [name, readTemplate(name)] as const);

let current: StoredTemplate;
beforeAll(() => {
  current = productionStage().template.toJSON() as StoredTemplate;
});

/** The part of a resource that must stay for its data to stay. */
const identityOf = (resource: StoredResource | undefined): unknown => {
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
    const attributesOf = ({ Properties }: StoredResource) =>
      (Properties['AttributeDefinitions'] ?? []) as object[];
    expect(attributesOf(current.Resources[id]!)).toEqual(expect.arrayContaining(attributesOf(resource)));
  });

  it('keeps every output', () => {
    expect(Object.keys(current.Outputs)).toEqual(expect.arrayContaining(Object.keys(earlier.Outputs)));
  });
});
