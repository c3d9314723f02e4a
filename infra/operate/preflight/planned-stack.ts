import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../core/system-errors.ts';
import { propertiesOf, type StackTemplate, throttlesIn } from '../../stage/stack-template.ts';
import { OperatorError } from '../../terminal/operator-error.ts';

/** A synthesised stack. */
export interface PlannedStack {
  readonly name: string;
  readonly isProtected: boolean;
  /** The lowest version of the bootstrap stack that the deployment accepts. */
  readonly bootstrapVersion: number;
  /** The SSM parameter with the version of the bootstrap. Its name has the qualifier. */
  readonly bootstrapParameter: string;
  readonly template: StackTemplate;
}

interface Manifest {
  readonly artifacts: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly properties?: {
          readonly templateFile: string;
          readonly terminationProtection?: boolean;
          readonly requiresBootstrapStackVersion?: number;
          readonly bootstrapStackVersionSsmParameter?: string;
        };
      }
    >
  >;
}

/** The parameter of `npx cdk bootstrap` without a qualifier. */
export const DEFAULT_BOOTSTRAP = '/cdk-bootstrap/hnb659fds/version';

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Reads the stack of a cloud assembly.
 *
 * @param folder such as `cdk.out`
 * @throws OperatorError if the folder has no assembly with one stack
 */
export const readPlannedStack = (folder: string): PlannedStack => {
  try {
    const { artifacts } = readJson(join(folder, 'manifest.json')) as Manifest;
    const [[name, stack] = [], ...others] = Object.entries(artifacts).filter(
      ([, { type }]) => type === 'aws:cloudformation:stack',
    );
    if (name === undefined || !stack?.properties || others.length > 0) {
      throw new OperatorError(`${folder} must have exactly one stack: synthesise one stage into it.`);
    }
    const {
      templateFile,
      terminationProtection = false,
      requiresBootstrapStackVersion = 0,
      bootstrapStackVersionSsmParameter: bootstrapParameter = DEFAULT_BOOTSTRAP,
    } = stack.properties;
    return {
      name,
      isProtected: terminationProtection,
      bootstrapVersion: requiresBootstrapStackVersion,
      bootstrapParameter,
      template: readJson(join(folder, templateFile)) as StackTemplate,
    };
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new OperatorError(`${folder} has no synthesised stage: run \`npm run synth -- -c stage=NAME\`.`);
  }
};

/** The executions that all functions of a stack reserve together. */
export const reservedExecutions = (template: StackTemplate): number =>
  propertiesOf(template, 'AWS::Lambda::Function').reduce(
    (sum, each) => sum + Number(each['ReservedConcurrentExecutions'] ?? 0),
    0,
  );

/** The custom domain of a stack, with its certificate. */
export const domainPropertiesOf = (template: StackTemplate) =>
  propertiesOf(template, 'AWS::ApiGateway::DomainName')[0] as
    | { readonly DomainName: string; readonly RegionalCertificateArn: string }
    | undefined;

/** The largest rate and burst of one method at the gateway. */
export const gatewayLimits = (template: StackTemplate): { readonly rate: number; readonly burst: number } => {
  const throttles = throttlesIn(template);
  return {
    rate: Math.max(...throttles.map(({ ThrottlingRateLimit }) => ThrottlingRateLimit)),
    burst: Math.max(...throttles.map(({ ThrottlingBurstLimit }) => ThrottlingBurstLimit)),
  };
};

/** The ARNs of the roles of other stacks that a stack names. Its own roles have references. */
export const namedRoles = (template: StackTemplate): readonly string[] => [
  ...new Set(JSON.stringify(template).match(/arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]+/g)),
];
