import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Access } from '../../functions/operations.ts';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import type { StageConfig } from '../stages.ts';
import { type IndexDefinition, type TableDefinition, TABLES } from '../tables.ts';
import { conditionsOf, type Permission, PERMISSIONS } from './permissions.ts';

const ATTRIBUTE_TYPES = { string: AttributeType.STRING, number: AttributeType.NUMBER } as const;

/** The tables of a stage. */
export class Database extends Construct {
  readonly apiKeys: TableV2;
  readonly products: TableV2;
  readonly carts: TableV2;
  readonly testCarts: TableV2;
  readonly secrets: TableV2;
  readonly stores: TableV2;
  readonly events: TableV2;
  readonly webhookEndpoints: TableV2;
  readonly deliveries: TableV2;
  readonly erasures: TableV2;
  readonly #retainsData: boolean;

  constructor(scope: Construct, id: string, { retainsData }: Pick<StageConfig, 'retainsData'>) {
    super(scope, id);
    this.#retainsData = retainsData;
    this.apiKeys = this.#table('ApiKeys', TABLES.apiKeys);
    this.products = this.#table('Products', TABLES.products);
    this.carts = this.#table('Carts', TABLES.carts);
    this.testCarts = this.#table('TestCarts', TABLES.testCarts);
    this.secrets = this.#table('Secrets', TABLES.secrets);
    this.stores = this.#table('Stores', TABLES.stores);
    this.events = this.#table('Events', TABLES.events);
    this.webhookEndpoints = this.#table('WebhookEndpoints', TABLES.webhookEndpoints);
    this.deliveries = this.#table('Deliveries', TABLES.deliveries);
    this.erasures = this.#table('Erasures', TABLES.erasures);
  }

  /** Gives a function the permissions of each access, and the environment variables with the tables' names. */
  grant(to: Function, access: readonly Access[]): void {
    for (const permission of access.flatMap((name) => PERMISSIONS[name])) this.#permit(to, permission);
  }

  #permit(to: Function, permission: Permission): void {
    const table = this[permission.table];
    to.addEnvironment(ENV_NAMES[`${permission.table}Table`], table.tableName);
    const { index } = permission;
    const conditions = conditionsOf(permission);
    to.addToRolePolicy(
      // `table.grant` would add the table's indexes.
      new PolicyStatement({
        actions: [`dynamodb:${permission.action}`],
        resources: [index === undefined ? table.tableArn : `${table.tableArn}/index/${index}`],
        ...(conditions && { conditions }),
      }),
    );
  }

  #table(id: string, definition: TableDefinition): TableV2 {
    const { indexes = [], ttlAttribute, hasStream } = definition;
    const keysOf = ({
      partitionKey,
      sortKey,
    }: Pick<TableDefinition | IndexDefinition, 'partitionKey' | 'sortKey'>) => ({
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...(sortKey && { sortKey: { name: sortKey.name, type: ATTRIBUTE_TYPES[sortKey.type] } }),
    });
    const globalSecondaryIndexes = indexes.map((index) => ({
      indexName: index.name,
      ...keysOf(index),
      projectionType: ProjectionType.KEYS_ONLY,
    }));
    return new TableV2(this, id, {
      ...(hasStream && { dynamoStream: StreamViewType.NEW_IMAGE }),
      ...(indexes.length > 0 && { globalSecondaryIndexes }),
      ...keysOf(definition),
      ...(ttlAttribute !== undefined && { timeToLiveAttribute: ttlAttribute }),
      deletionProtection: this.#retainsData,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: this.#retainsData },
      removalPolicy: this.#retainsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
