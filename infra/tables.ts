/** A DynamoDB table: what the stack deploys and what the local stage creates. */
export interface TableDefinition {
  /** The last part of the table's name on the local stage; a deployed one lets CloudFormation name its tables. */
  readonly name: string;
  /** The partition key, a string. No table has a sort key. */
  readonly partitionKey: string;
  /** The attribute with the Unix second at which an item may be deleted. */
  readonly ttlAttribute?: string;
  /** Whether, where it is deployed, each change of an item is told on a stream, with the item as it became. */
  readonly hasStream?: true;
}

/** The three tables of a stage. */
export const TABLES = {
  apiKeys: { name: 'api-keys', partitionKey: 'keyId' },
  products: { name: 'products', partitionKey: 'id' },
  carts: { name: 'carts', partitionKey: 'id', ttlAttribute: 'deleteAtSeconds', hasStream: true },
} as const satisfies Record<string, TableDefinition>;

/** Which of a stage's tables. */
export type TableKind = keyof typeof TABLES;
