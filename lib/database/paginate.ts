import {
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandInput,
  type ScanCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { callOptions, type DocumentClient } from './documents.ts';

type Attributes = Record<string, unknown>;

// Replaces the paginators of the SDK, which would bring its whole client into a bundle.
async function* pages<Page extends { readonly LastEvaluatedKey?: Attributes | undefined }>(
  read: (start: { readonly ExclusiveStartKey?: Attributes }) => Promise<Page>,
): AsyncGenerator<Page> {
  let page = await read({});
  yield page;
  while (page.LastEvaluatedKey) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ends
    page = await read({ ExclusiveStartKey: page.LastEvaluatedKey });
    yield page;
  }
}

/** Reads all pages of a query, one after the other. `Limit` is the size of a page. */
export const queryPages = (
  documents: DocumentClient,
  query: QueryCommandInput,
  signal?: AbortSignal,
): AsyncGenerator<QueryCommandOutput> =>
  pages((start) => documents.send(new QueryCommand({ ...query, ...start }), callOptions(signal)));

/** Reads all pages of a scan, one after the other. */
export const scanPages = (
  documents: DocumentClient,
  scan: ScanCommandInput,
): AsyncGenerator<ScanCommandOutput> =>
  pages((start) => documents.send(new ScanCommand({ ...scan, ...start })));

/** Reads all items of a table, strongly consistent and in no order. */
export const scanItems = async <Value>(
  documents: DocumentClient,
  TableName: string,
  read: (item: Attributes) => Value,
): Promise<readonly Value[]> => {
  const found: Value[] = [];
  for await (const { Items = [] } of scanPages(documents, { TableName, ConsistentRead: true })) {
    found.push(...Items.map(read));
  }
  return found;
};
