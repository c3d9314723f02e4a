import { AttributeType, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Access } from '../../../functions/access.ts';
import { type TableKind, TABLE_KINDS } from '../../../lib/database/tables.ts';
import { variableOf } from '../../../lib/settings/settings.ts';
import type { StageConfig } from '../../stage/stage-config.ts';
import { type IndexDefinition, type TableDefinition, tableIdOf, TABLES } from '../../stage/tables.ts';
import { removalPolicyOf } from '../retention.ts';
import { conditionsOf, type Permission, PERMISSIONS } from './permissions.ts';

const ATTRIBUTE_TYPES = { string: AttributeType.STRING, number: AttributeType.NUMBER } as const;

/** The tables of a stage. */
export class Database extends Construct {
  readonly tables: Readonly<Record<TableKind, TableV2>>;

  constructor(scope: Construct, id: string, config: Pick<StageConfig, 'retainsData' | 'isProtected'>) {
    super(scope, id);
    const tables = TABLE_KINDS.map((kind) => [kind, this.#table(kind, config)]);
    this.tables = Object.fromEntries(tables) as Record<TableKind, TableV2>;
  }

  /** Gives a function the permissions of each access, and the environment variables with the tables' names. */
  grant(to: Function, access: readonly Access[]): void {
    for (const permission of access.flatMap((name) => PERMISSIONS[name])) this.#permit(to, permission);
  }

  #permit(to: Function, permission: Permission): void {
    const table = this.tables[permission.table];
    to.addEnvironment(variableOf(`${permission.table}Table`), table.tableName);
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

  #table(
    kind: TableKind,
    { retainsData, isProtected }: Pick<StageConfig, 'retainsData' | 'isProtected'>,
  ): TableV2 {
    const definition: TableDefinition = TABLES[kind];
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
      projectionType: index.hasAttributes ? ProjectionType.ALL : ProjectionType.KEYS_ONLY,
    }));
    return new TableV2(this, tableIdOf(kind), {
      ...(hasStream && { dynamoStream: StreamViewType.NEW_IMAGE }),
      ...(indexes.length > 0 && { globalSecondaryIndexes }),
      ...keysOf(definition),
      ...(ttlAttribute !== undefined && { timeToLiveAttribute: ttlAttribute }),
      deletionProtection: isProtected,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: retainsData },
      removalPolicy: removalPolicyOf(retainsData),
    });
  }
}
