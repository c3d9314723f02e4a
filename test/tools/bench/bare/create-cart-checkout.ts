import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { respond, type BareEvent, documents, takeToken, warmUp } from './calls.ts';

export { warmUp };

const EXPIRY_MS = 86_400_000;

/** As long as a real fingerprint, which a bare function does not compute. */
const FINGERPRINT = 'f'.repeat(43);

export const handler = async (event: BareEvent) => {
  const request = JSON.parse(event.body ?? '') as Record<string, unknown>;
  const { productDocumentId, email, firstName, lastName, phone, redirectURL, meta = {} } = request;
  const [key, { Item: product = {} }] = await Promise.all([
    takeToken(event),
    documents.send(
      new GetCommand({ TableName: process.env['PRODUCTS_TABLE'], Key: { id: productDocumentId } }),
    ),
  ]);
  const nowMs = Date.now();
  const cart = {
    id: randomUUID(),
    storeId: key['storeId'],
    mode: key['mode'],
    customerInfo: { firstName, lastName, email, phone },
    productId: product['id'],
    productName: product['name'],
    price: { amount: (product['pricing'] as { amount: number }).amount, currency: product['currency'] },
    redirectUrl: redirectURL,
    meta,
    requestFingerprint: FINGERPRINT,
    status: 'waiting_payment',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: nowMs + EXPIRY_MS,
    deleteAtSeconds: Math.ceil((nowMs + 31 * EXPIRY_MS) / 1_000),
  };
  await documents.send(
    new PutCommand({
      TableName: process.env['TEST_CARTS_TABLE'],
      Item: cart,
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  return respond(201, { cart, redirectUrl: `https://checkout.invalid/${cart.id}` });
};
