/** A global secondary index. It projects all attributes. */
export interface IndexDefinition {
  readonly name: string;
  /** A string attribute. */
  readonly partitionKey: string;
  /** A string attribute. */
  readonly sortKey?: string;
}

/** A DynamoDB table, as the stack deploys it and the local stage creates it. */
export interface TableDefinition {
  /** The end of the table's name on the local stage. CloudFormation names the tables of a deployed stage. */
  readonly name: string;
  /** The partition key, a string. No table has a sort key. */
  readonly partitionKey: string;
  readonly indexes?: readonly IndexDefinition[];
  /** The attribute with the Unix second after which DynamoDB may delete an item. */
  readonly ttlAttribute?: string;
  /** Whether the deployed table has a stream of new images. The local table has none. */
  readonly hasStream?: true;
}

const CARTS = { partitionKey: 'id', ttlAttribute: 'deleteAtSeconds', hasStream: true } as const;

/** The tables of a stage. */
export const TABLES = {
  apiKeys: { name: 'api-keys', partitionKey: 'keyId' },
  products: { name: 'products', partitionKey: 'id' },
  /** The carts of live mode, and those of test mode that an earlier release stored. */
  carts: { name: 'carts', ...CARTS },
  testCarts: { name: 'test-carts', ...CARTS },
  /** Secrets that the stage makes for itself. */
  secrets: { name: 'secrets', partitionKey: 'id' },
} as const satisfies Record<string, TableDefinition>;

/** A key of {@link TABLES}. */
export type TableKind = keyof typeof TABLES;
