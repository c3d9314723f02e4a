import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { respond, type BareEvent, documents, takeToken, warmUp } from './calls.ts';

export { warmUp };

export const handler = async (event: BareEvent) => {
  const [, { Item }] = await Promise.all([
    takeToken(event),
    documents.send(
      new GetCommand({
        TableName: process.env['TEST_CARTS_TABLE'],
        Key: { id: event.pathParameters?.['cartId'] },
        ConsistentRead: true,
      }),
    ),
  ]);
  return respond(200, Item);
};
