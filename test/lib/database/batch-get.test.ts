import { BatchGetItemCommand, type BatchGetItemCommandInput } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { ThrottledError } from '../../../lib/aws/errors.ts';
import { inParts } from '../../../lib/core/in-parts.ts';
import { batchGet } from '../../../lib/database/batch-get.ts';
import { mockDocuments } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { givenPauses } from '../../support/pauses.ts';
import { THROTTLES } from '../../support/service/faulty-service.ts';

const { documents, tableNames } = await givenDatabase();
const table = tableNames.products;

const keysOf = (ids: readonly string[]) => ids.map((id) => ({ id: { S: id } }));

it('any number of items is found, without those that do not exist', async () => {
  const ids = Array.from({ length: 230 }, (_, index) => `product-${index}`);
  for (const part of inParts(ids, 25)) {
    const requests = part.map((id) => ({ PutRequest: { Item: { id } } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
  }
  const found = await batchGet(documents, table, keysOf(['none', ...ids]));
  expect(found.map(({ id }) => String(id?.S)).toSorted()).toStrictEqual(ids.toSorted());
  expect(await batchGet(documents, table, [])).toStrictEqual([]);
});

/** Reads from a DynamoDB that returns one item per request, and leaves the other keys unprocessed. By default, nothing waits. */
const readSlowly = (ids: readonly string[], options?: Parameters<typeof batchGet>[3]) => {
  const scripted = createDocumentClient({ endpoint: 'http://127.0.0.1:1', region: 'local' });
  const mock = mockDocuments(scripted);
  mock.on(BatchGetItemCommand).callsFake(({ RequestItems }: BatchGetItemCommandInput) => {
    const [first, ...rest] = RequestItems?.[table]?.Keys ?? [];
    // A response may omit an empty list.
    return {
      Responses: { [table]: [first] },
      ...(rest.length > 0 && { UnprocessedKeys: { [table]: { Keys: rest } } }),
    };
  });
  const { pauses, waitsMs } = givenPauses();
  const found = batchGet(scripted, table, keysOf(ids), {
    pauses,
    ...options,
  });
  const requests = () =>
    mock.commandCalls(BatchGetItemCommand).map(({ args: [{ input }] }) => input.RequestItems);
  return { found, waitsMs, requests };
};

it('keys that DynamoDB leaves unprocessed are read again, after a pause that grows', async () => {
  const { found, waitsMs, requests } = readSlowly(['a', 'b', 'c']);
  expect(await found).toStrictEqual(keysOf(['a', 'b', 'c']));
  expect(waitsMs).toStrictEqual([10, 20]);
  expect(requests()).toStrictEqual(
    [['a', 'b', 'c'], ['b', 'c'], ['c']].map((ids) => ({
      [table]: { Keys: keysOf(ids), ConsistentRead: true },
    })),
  );
});

it('keys that stay unprocessed are an error, and not missing', async () => {
  const { found, waitsMs } = readSlowly(Array.from({ length: 9 }, (_, index) => `product-${index}`));
  await expect(found).rejects.toThrow(ThrottledError);
  expect(waitsMs).toStrictEqual([10, 20, 40, 80, 160, 250, 250]);
});

it('a response without results is read again, and is an error if there is no other', async () => {
  const scripted = createDocumentClient({ endpoint: 'http://127.0.0.1:1', region: 'local' });
  const mock = mockDocuments(scripted);
  const read = () => batchGet(scripted, table, keysOf(['a']), givenPauses());
  mock
    .on(BatchGetItemCommand)
    .resolvesOnce({})
    .resolves({ Responses: { [table]: keysOf(['a']) } });
  expect(await read()).toStrictEqual(keysOf(['a']));
  mock.on(BatchGetItemCommand).resolves({});
  await expect(read()).rejects.toThrow(ThrottledError);
});

it('a request that DynamoDB throttles as a whole is sent again', async () => {
  const scripted = createDocumentClient({ endpoint: 'http://127.0.0.1:1', region: 'local' });
  const { pauses, waitsMs } = givenPauses();
  mockDocuments(scripted)
    .on(BatchGetItemCommand)
    .rejectsOnce(THROTTLES['throttled table']())
    .resolves({ Responses: { [table]: keysOf(['a']) } });
  expect(await batchGet(scripted, table, keysOf(['a']), { pauses })).toStrictEqual(keysOf(['a']));
  expect(waitsMs).toStrictEqual([10]);
});

it('an aborted read ends before its next request', async () => {
  const { found, requests } = readSlowly(['a', 'b'], { signal: AbortSignal.abort() });
  await expect(found).rejects.toThrow(ThrottledError);
  expect(requests()).toHaveLength(1);
});
