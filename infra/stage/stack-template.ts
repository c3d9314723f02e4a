import { OPERATIONS, type OperationName } from '../../functions/operations.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The CloudFormation template of a stage's stack. */
export interface StackTemplate {
  /** By their logical ids. */
  readonly Resources: Readonly<Record<string, Resource>>;
}

/** A logical id as the CDK's code has it, without the hash that the CDK adds. */
export const withoutHash = (logicalId: string): string => logicalId.replace(/[0-9A-F]{8}$/, '');

/** The properties of each resource of a type. */
export const propertiesOf = (
  { Resources }: StackTemplate,
  type: string,
): readonly Readonly<Record<string, unknown>>[] =>
  Object.values(Resources).flatMap(({ Type, Properties = {} }) => (Type === type ? [Properties] : []));

interface MethodSetting {
  readonly HttpMethod: string;
  readonly ResourcePath: string;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

/** The throttles of a stage's gateway, with the operation of each. The one without an operation is for all other methods. */
export const throttlesIn = (template: StackTemplate) => {
  const [stage] = propertiesOf(template, 'AWS::ApiGateway::Stage') as readonly {
    readonly MethodSettings?: readonly MethodSetting[];
  }[];
  return (stage?.MethodSettings ?? []).map((setting) => {
    const path = setting.ResourcePath.slice(1).replaceAll('~1', '/');
    const operation = (Object.keys(OPERATIONS) as OperationName[]).find(
      (name) => OPERATIONS[name].method === setting.HttpMethod && OPERATIONS[name].path === path,
    );
    return { ...setting, path, operation };
  });
};
