// Runs an earlier release on the items of a later one, as after a rollback. It must send the same responses:
//   node_modules/.bin/node test/upgrade/try-rollback.ts {checkout of the earlier release} {folder of the later one}
import { isDeepStrictEqual } from 'node:util';
import { BatchWriteItemCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { localClientConfig } from '../../infra/local/local-database.ts';
import { inParts } from '../../lib/core/in-parts.ts';
import { readFixture, readItems } from './fixtures.ts';
import { startRelease, TABLE_PREFIX } from './release-stage.ts';

const [checkout = '', name = ''] = process.argv.slice(2);
const { carts, feed, keys, retries, endpointId } = readFixture(name);
const empty = await startRelease(checkout);
const client = new DynamoDBClient(localClientConfig(empty.dynamodbEndpoint));

const { TableNames = [] } = await client.send(new ListTablesCommand({}));
for (const [table, items] of Object.entries(readItems(name))) {
  const tableName = TABLE_PREFIX + table;
  if (!TableNames.includes(tableName)) {
    console.log(`The earlier release has no table ${table}: ${items.length} items stay unread.`);
    continue;
  }
  for (const part of inParts(items, 25)) {
    const requests = part.map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
  }
}

await empty.end();
// A stage keeps its secret and its stores in memory.
const stage = await startRelease(checkout, empty.folder);

let failures = 0;
const check = (what: string, isSame: boolean): void => {
  console.log(`${isSame ? 'same' : 'DIFFERS'}: ${what}`);
  if (!isSame) failures += 1;
};

for (const apiKey of keys.working)
  check('a key works', (await stage.get('/api/v1/stores/cart/0', apiKey)).status === 404);
for (const { name: cart, id, apiKey, responseText } of carts) {
  const { text } = await stage.get(`/api/v1/stores/cart/${id}`, apiKey);
  check(`the cart ${cart}`, isDeepStrictEqual(JSON.parse(text), JSON.parse(responseText)));
}
for (const { apiKey, body, headers, responseText } of retries) {
  const response = await fetch(`${stage.baseUrl}/api/v1/stores/cart/checkout`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
    body,
  });
  const { cart } = (await response.json()) as { readonly cart?: { readonly id: string } };
  const { cart: earlier } = JSON.parse(responseText) as { readonly cart: { readonly id: string } };
  check('a retry finds its cart', cart?.id === earlier.id);
}
if (feed) {
  const { status, text } = await stage.get('/api/v1/stores/events', feed.apiKey);
  const { events = [] } = JSON.parse(text) as { readonly events?: readonly object[] };
  if (status === 404) console.log('The earlier release has no feed.');
  else check('the feed', isDeepStrictEqual(events, feed.events));
}
if (endpointId !== undefined) {
  const listed = await stage.operate('webhooks', 'deliveries', endpointId).catch(() => undefined);
  const { deliveries = [] } = (listed ?? {}) as { readonly deliveries?: readonly object[] };
  if (!listed) console.log('The earlier release has no webhooks.');
  else check('the deliveries', deliveries.length === feed?.events.length);
}
for (const { id } of carts) check('carts show', (await stage.operate('carts', 'show', id))['id'] === id);
await stage.end();
process.exitCode = failures === 0 ? 0 : 1;
