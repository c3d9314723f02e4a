import type { Template } from 'aws-cdk-lib/assertions';
import { OPERATIONS, type OperationName } from '../../functions/operations.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The resources of a template, by their logical ids. */
export const resourcesOf = (template: Template): Readonly<Record<string, Resource>> =>
  template.toJSON()['Resources'] as Readonly<Record<string, Resource>>;

/** The properties of each resource of a type. */
export const propertiesOf = (template: Template, type: string): readonly unknown[] =>
  Object.values(resourcesOf(template)).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));

interface MethodSetting {
  readonly HttpMethod: string;
  readonly ResourcePath: string;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

/** The throttles of a stage's gateway, with the operation of each. The one without an operation is for all other methods. */
export const throttlesIn = (template: Template) => {
  const [stage] = propertiesOf(template, 'AWS::ApiGateway::Stage') as { MethodSettings: MethodSetting[] }[];
  return (stage?.MethodSettings ?? []).map((setting) => {
    const path = setting.ResourcePath.slice(1).replaceAll('~1', '/');
    const operation = (Object.keys(OPERATIONS) as OperationName[]).find(
      (name) => OPERATIONS[name].method === setting.HttpMethod && OPERATIONS[name].path === path,
    );
    return { ...setting, path, operation };
  });
};
