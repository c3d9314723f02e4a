import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** A request that created a cart. */
export interface StoredRequest {
  readonly apiKey: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A cart, and the body of the response to its retrieval. */
export interface StoredCart {
  readonly name: string;
  readonly id: string;
  readonly apiKey: string;
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
  /** The events of test mode in their order, if the release has events. */
  readonly feed?: { readonly apiKey: string; readonly events: readonly object[] } | undefined;
  /** A webhook endpoint of test mode, if the release has webhooks. */
  readonly endpointId?: string | undefined;
  /** Requests with an `Idempotency-Key`, and the bodies of their responses. */
  readonly retries: readonly (StoredRequest & { readonly responseText: string })[];
}

/** A resource of a template. */
export interface StoredResource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

/** The part of a production template that a release keeps: its resources with data, and the names of its outputs. */
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

const foldersWith = (file: string): readonly string[] =>
  globSync(`*/${file}`, { cwd: import.meta.dirname })
    .map(dirname)
    .toSorted();

/** The folders with a file of the embedded DynamoDB. The first release alone has one. */
export const DATA_FOLDERS: readonly string[] = foldersWith('data.sqlite.gz');

/** The folders with items, one for each later release. */
export const ITEM_FOLDERS: readonly string[] = foldersWith('items.json.gz');

/** The folders with a production template, one for each release. */
export const TEMPLATE_FOLDERS: readonly string[] = foldersWith('template.json');

const read = (...path: readonly string[]): Buffer => readFileSync(join(import.meta.dirname, ...path));

export const readFixture = (name: string): UpgradeFixture =>
  JSON.parse(read(name, 'data.json').toString()) as UpgradeFixture;

/** The file of the embedded DynamoDB. */
export const readDataFile = (name: string): Buffer => gunzipSync(read(name, 'data.sqlite.gz'));

/** The file of items. Bytes are base64 in it. */
export const formatItems = (items: StoredItems): Buffer => {
  const text = JSON.stringify(items, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return gzipSync(text, { level: 9 });
};

/** The items of the file of {@link formatItems}. */
export const readItems = (name: string): StoredItems =>
  JSON.parse(gunzipSync(read(name, 'items.json.gz')).toString(), (key, value: unknown) =>
    key === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value,
  ) as StoredItems;

export const readTemplate = (name: string): StoredTemplate =>
  JSON.parse(read(name, 'template.json').toString()) as StoredTemplate;

/** A body with the keys of `meta` in order: earlier releases returned them as DynamoDB did, in any order. */
export const withSortedMeta = (bodyText: string): string =>
  JSON.stringify(JSON.parse(bodyText), (key, value: object) =>
    key === 'meta'
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
