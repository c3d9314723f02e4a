import { join } from 'node:path';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ENV_NAMES } from '../../lib/env-names.ts';
import { BUNDLING } from './bundling.ts';
import { FUNCTION_TIMEOUT_MS } from '../../functions/operations.ts';
import type { StageConfig } from '../stages.ts';

const FUNCTIONS_FOLDER = join(import.meta.dirname, '../../functions');

/** More than a request needs; at 1,769 MB a function would have one processor, so this is a bit over half of one. */
const MEMORY_MB = 1_024;

export interface ServiceFunctionProps extends Pick<StageConfig, 'name' | 'retainsData'> {
  /** The file in `functions/`, without its ending. */
  readonly functionName: string;
}

/** A Lambda function of the service: one file of `functions/`, bundled with all that it imports. */
export class ServiceFunction extends NodejsFunction {
  readonly ownLogGroup: LogGroup;

  constructor(scope: Construct, id: string, { functionName, name, retainsData }: ServiceFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: retainsData ? RetentionDays.THREE_MONTHS : RetentionDays.ONE_WEEK,
      removalPolicy: retainsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // A role of our own: the managed one that Lambda would get may write every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      entry: join(FUNCTIONS_FOLDER, functionName, 'handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MB,
      timeout: Duration.millis(FUNCTION_TIMEOUT_MS),
      tracing: Tracing.ACTIVE,
      logGroup,
      role,
      bundling: BUNDLING,
    });
    this.ownLogGroup = logGroup;
    this.addEnvironment(ENV_NAMES.stageName, name);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray takes segments without naming a resource; its two write actions have no resource level.',
    });
  }
}
