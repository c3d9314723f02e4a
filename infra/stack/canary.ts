import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { EVENT_FUNCTIONS } from '../../functions/operations.ts';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import type { StageConfig } from '../stages.ts';
import { runEveryMinute } from './every-minute.ts';
import { ServiceFunction } from './service-function.ts';

/** A scheduled function that uses the API as a merchant does, and the table with its own key. */
export class Canary extends Construct {
  readonly lambda: ServiceFunction;
  readonly table: Table;

  /** @param publicUrl the stage's address, without a trailing slash */
  constructor(scope: Construct, id: string, config: StageConfig, publicUrl: string) {
    super(scope, id);
    this.lambda = new ServiceFunction(scope, 'canary', config);
    this.table = new Table(this, 'Key', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      // Its only item can be made again.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this.table).acknowledge({
      id: 'AwsSolutions::AwsSolutions-DDB3',
      reason: 'The only item is a test key, which `operate -- canary setup` makes again.',
    });
    this.table.grant(this.lambda, 'dynamodb:GetItem');
    const values = { canaryTable: this.table.tableName, publicUrl };
    for (const name of EVENT_FUNCTIONS.canary.variables) {
      this.lambda.addEnvironment(ENV_NAMES[name], values[name]);
    }
    runEveryMinute(this, 'Schedule', this.lambda);
  }
}
