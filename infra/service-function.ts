import { join } from 'node:path';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { FUNCTION_TIMEOUT_MS, type FunctionName } from './routes.ts';
import type { StageConfig } from './stages.ts';

const FUNCTIONS_FOLDER = join(import.meta.dirname, '../functions');

/** More than a request needs; at 1,769 MB a function would have one processor, so this is a bit over half of one. */
const MEMORY_MB = 1_024;

export interface ApiFunctionProps extends Pick<StageConfig, 'isDurable'> {
  /** The file in `functions/`, without its ending. */
  readonly functionName: FunctionName;
}

/** A Lambda function behind a route: one file of `functions/`, bundled with all that it imports. */
export class ApiFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, { functionName, isDurable }: ApiFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: isDurable ? RetentionDays.THREE_MONTHS : RetentionDays.ONE_WEEK,
      removalPolicy: isDurable ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // A role of our own: the managed one that Lambda would get may write every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      entry: join(FUNCTIONS_FOLDER, `${functionName}.ts`),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MB,
      timeout: Duration.millis(FUNCTION_TIMEOUT_MS),
      tracing: Tracing.ACTIVE,
      logGroup,
      role,
      bundling: {
        // CommonJS starts faster than ESM, and a bundled SDK faster than the runtime's own.
        format: OutputFormat.CJS,
        bundleAwsSDK: true,
        // The modules' ESM sources: only they can be shaken.
        mainFields: ['module', 'main'],
        minify: true,
        sourceMap: true,
        sourcesContent: false,
      },
    });
    this.addEnvironment('NODE_OPTIONS', '--enable-source-maps');
    Validations.of(role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray takes segments without naming a resource; its two write actions have no resource level.',
    });
  }
}
