import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** A cart, and the body of the response to its retrieval. */
export interface StoredCart {
  readonly name: string;
  readonly id: string;
  readonly apiKey: string;
  readonly responseText: string;
}

/** A request with an `Idempotency-Key`, and the body of its response. */
interface StoredRetry {
  readonly apiKey: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly responseText: string;
}

/** The items of the tables, by the end of a table's name, as DynamoDB returns them. */
export type StoredItems = Readonly<Record<string, readonly Readonly<Record<string, AttributeValue>>[]>>;

/** The keys, carts and responses of a stage at the time it was filled. No other stage knows the keys. */
export interface UpgradeFixture {
  readonly madeAtMs: number;
  readonly keys: {
    readonly working: readonly string[];
    /** Limit 10 in 30 days, with five tokens left. */
    readonly halfEmpty: string;
    readonly rejected: readonly string[];
    /** A rotated key, within its overlap of 24 h. */
    readonly endsWithinADay: string;
  };
  readonly carts: readonly StoredCart[];
  /** The events of test mode in their order. */
  readonly feed: { readonly apiKey: string; readonly events: readonly { readonly type: string }[] };
  /** A webhook endpoint of test mode. */
  readonly endpointId: string;
  readonly retries: readonly StoredRetry[];
}

/** A resource of a template. */
export interface StoredResource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

/** The part of a production template that every later commit keeps. */
export interface StoredTemplate {
  readonly Resources: Readonly<Record<string, StoredResource>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

/**
 * The resource types that hold data, each with its critical properties. After a change of one, CloudFormation replaces the
 * resource, or DynamoDB deletes other items (AWS CloudFormation template reference, "Update requires").
 */
export const DATA_TYPES: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': [
    'TableName',
    'KeySchema',
    'LocalSecondaryIndexes',
    'TimeToLiveSpecification',
  ],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
};

/** The part of a template that a fixture has: its resources with data, and the names of its outputs. */
export const templateToStore = ({ Resources, Outputs }: StoredTemplate): StoredTemplate => ({
  Resources: Object.fromEntries(Object.entries(Resources).filter(([, { Type }]) => Type in DATA_TYPES)),
  Outputs: Object.fromEntries(Object.keys(Outputs).map((output) => [output, {}])),
});

/** The parts of a contract that no program reads. */
const REMARKS: ReadonlySet<string> = new Set([
  'info',
  'servers',
  'summary',
  'description',
  'example',
  'examples',
]);

/** The part of a contract that a fixture has: all but the remarks. */
export const contractToStore = (contract: object): object =>
  JSON.parse(JSON.stringify(contract), (key, value: unknown) =>
    REMARKS.has(key) ? undefined : value,
  ) as object;

/** The folders of the fixtures, which are the dates of their commits. */
export const FIXTURES: readonly string[] = globSync('*/data.json', { cwd: import.meta.dirname })
  .map(dirname)
  .toSorted();

const read = (...path: readonly string[]): Buffer => readFileSync(join(import.meta.dirname, ...path));

export const readFixture = (date: string): UpgradeFixture =>
  JSON.parse(read(date, 'data.json').toString()) as UpgradeFixture;

/** The file of items. Bytes are base64 in it. */
export const formatItems = (items: StoredItems): Buffer => {
  const text = JSON.stringify(items, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return gzipSync(text, { level: 9 });
};

/** The items of the file of {@link formatItems}. */
export const readItems = (date: string): StoredItems =>
  JSON.parse(gunzipSync(read(date, 'items.json.gz')).toString(), (key, value: unknown) =>
    key === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value,
  ) as StoredItems;

export const readTemplate = (date: string): StoredTemplate =>
  JSON.parse(read(date, 'template.json').toString()) as StoredTemplate;

export const readContract = (date: string): object =>
  JSON.parse(read(date, 'openapi.json').toString()) as object;
