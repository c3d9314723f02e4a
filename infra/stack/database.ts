import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Access } from '../../functions/operations.ts';
import { ENV_NAMES } from '../../lib/env-names.ts';
import type { StageConfig } from '../stages.ts';
import { type TableDefinition, type TableKind, TABLES } from '../tables.ts';

/**
 * The attributes of a key's item that taking a token reads or writes. All others (store, mode, label, locale) are read-only.
 * DynamoDB's condition does not distinguish reads from writes, and does not limit the attributes that ALL_NEW returns.
 */
const BUCKET_ATTRIBUTES = [
  'keyId',
  'revokedAtMs',
  'expiresAtMs',
  'limit',
  'windowSeconds',
  'emissionIntervalMicros',
  'tatMicros',
  'lastUsedAtMs',
];

/** The tables of a stage. */
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

  /** Gives a function the permissions of each access, and the environment variables with the tables' names. */
  grant(to: Function, access: readonly Access[]): void {
    const grants: Readonly<Record<Access, () => void>> = {
      takeToken: () => this.#grantTakeToken(to),
      findProduct: () => this.#grantTable(to, 'products', 'dynamodb:GetItem'),
      findCart: () => this.#grantTable(to, 'carts', 'dynamodb:GetItem'),
      createCart: () => this.#grantTable(to, 'carts', 'dynamodb:PutItem'),
      savePayment: () => this.#grantTable(to, 'carts', 'dynamodb:PutItem'),
    };
    for (const name of access) grants[name]();
  }

  /** One conditional update of a key's item, or a read if its bucket is known to be empty. */
  #grantTakeToken(to: Function): void {
    this.#grantTable(to, 'apiKeys', 'dynamodb:GetItem');
    to.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:UpdateItem'],
        resources: [this.apiKeys.tableArn],
        conditions: { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': BUCKET_ATTRIBUTES } },
      }),
    );
  }

  #grantTable(to: Function, table: TableKind, action: string): void {
    to.addEnvironment(ENV_NAMES[`${table}Table`], this[table].tableName);
    this[table].grant(to, action);
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
