import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { BUCKET_ATTRIBUTES } from '../../lib/api-keys/take-expressions.ts';
import { ENV_NAMES } from '../../lib/env-names.ts';
import type { StageConfig } from '../stages.ts';
import { type TableDefinition, TABLES } from '../tables.ts';

/** The three tables of a stage. Each grant gives a function a permission and the variable that goes with it. */
export class Database extends Construct {
  readonly apiKeys: TableV2;
  readonly products: TableV2;
  readonly carts: TableV2;
  readonly #retainsData: boolean;

  constructor(scope: Construct, id: string, { retainsData }: Pick<StageConfig, 'retainsData'>) {
    super(scope, id);
    this.#retainsData = retainsData;
    this.apiKeys = this.#table('ApiKeys', TABLES.apiKeys);
    this.products = this.#table('Products', TABLES.products);
    this.carts = this.#table('Carts', TABLES.carts);
  }

  /**
   * Authentication: one conditional update of a key's item, or a read if its bucket is known to be empty. IAM does not
   * tell the attributes that an update reads from those that it sets, nor does it limit what ALL_NEW returns.
   */
  grantTakeToken(to: Function): void {
    to.addEnvironment(ENV_NAMES.apiKeysTable, this.apiKeys.tableName);
    to.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:UpdateItem'],
        resources: [this.apiKeys.tableArn],
        conditions: { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': BUCKET_ATTRIBUTES } },
      }),
    );
    this.apiKeys.grant(to, 'dynamodb:GetItem');
  }

  grantFindProduct(to: Function): void {
    to.addEnvironment(ENV_NAMES.productsTable, this.products.tableName);
    this.products.grant(to, 'dynamodb:GetItem');
  }

  grantFindCart(to: Function): void {
    to.addEnvironment(ENV_NAMES.cartsTable, this.carts.tableName);
    this.carts.grant(to, 'dynamodb:GetItem');
  }

  grantCreateCart(to: Function): void {
    to.addEnvironment(ENV_NAMES.cartsTable, this.carts.tableName);
    this.carts.grant(to, 'dynamodb:PutItem');
  }

  /** Payments: a cart as it is, and as it became. */
  grantRecordPayment(to: Function): void {
    this.grantFindCart(to);
    this.carts.grant(to, 'dynamodb:PutItem');
  }

  #table(id: string, { partitionKey, ttlAttribute, hasStream }: TableDefinition): TableV2 {
    return new TableV2(this, id, {
      ...(hasStream && { dynamoStream: StreamViewType.NEW_IMAGE }),
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...(ttlAttribute !== undefined && { timeToLiveAttribute: ttlAttribute }),
      deletionProtection: this.#retainsData,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: this.#retainsData },
      removalPolicy: this.#retainsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
