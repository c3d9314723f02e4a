import { join } from 'node:path';
import { Duration, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type FunctionName, FUNCTIONS, isHttpFunction } from '../../../functions/function-needs.ts';
import { pascalCase } from '../../../lib/core/letter-case.ts';
import { splitConcurrency } from '../../stage/concurrency.ts';
import { limitsOf } from '../../stage/function-limits.ts';
import type { StageConfig } from '../../stage/stage-config.ts';
import type { Database } from '../database/database.ts';
import { addLogGroup } from '../retention.ts';
import { BUNDLING, HANDLER } from './bundling.ts';

const FUNCTIONS_FOLDER = join(import.meta.dirname, '../../../functions');

/** A Lambda function of the service: the handler of one folder of `functions/`, bundled with all that it imports. */
export class ServiceFunction extends NodejsFunction {
  readonly ownLogGroup: LogGroup;

  /** @param functionName the folder in `functions/` */
  constructor(
    scope: Construct,
    functionName: FunctionName,
    { retainsData, reservedConcurrency: total }: Pick<StageConfig, 'retainsData' | 'reservedConcurrency'>,
  ) {
    const id = pascalCase(functionName);
    const { memoryMb, timeoutSeconds, allowsRecursion } = limitsOf(functionName);
    const isHttp = isHttpFunction(functionName);
    const logGroup = addLogGroup(scope, `${id}Logs`, retainsData);
    // The managed policy that Lambda would attach may write to every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      entry: join(FUNCTIONS_FOLDER, functionName, 'handler.ts'),
      handler: HANDLER,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMb,
      timeout: Duration.seconds(timeoutSeconds),
      ...(total > 0 && { reservedConcurrentExecutions: splitConcurrency(total)[functionName] }),
      ...(allowsRecursion && { recursiveLoop: RecursiveLoop.ALLOW }),
      // X-Ray would trace nearly all of the few executions of the other functions.
      tracing: isHttp ? Tracing.ACTIVE : Tracing.DISABLED,
      // Lambda itself then logs only failed executions. It leaves the function's lines of JSON as they are.
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
      logGroup,
      role,
      bundling: BUNDLING,
    });
    this.ownLogGroup = logGroup;
    if (!isHttp) return;
    Validations.of(role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray accepts segments without a resource name. Its two write actions have no resource level.',
    });
  }
}

/** Adds a function with the rights of its access to the tables. */
export const addFunction = (
  scope: Construct,
  name: FunctionName,
  config: Pick<StageConfig, 'retainsData' | 'reservedConcurrency'>,
  database: Database,
): ServiceFunction => {
  const lambda = new ServiceFunction(scope, name, config);
  database.grant(lambda, FUNCTIONS[name].access);
  return lambda;
};
