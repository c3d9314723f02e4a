import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { generateApiKey } from '../api-keys/api-key.ts';
import type { StoredApiKey } from '../api-keys/stored-api-key.ts';
import { toJson } from '../aws/attribute-bytes.ts';
import type { Transport } from '../aws/transport.ts';
import type { Cart } from '../carts/cart.ts';
import { DAY_MS } from '../core/durations.ts';
import type { Product } from '../products/product.ts';
import type { Store } from '../stores/store.ts';
import { WARM_UP_REQUEST_ID } from '../core/telemetry.ts';

const ID = '00000000-0000-4000-8000-000000000000';

/** One item with the fields of an API key, a cart, a product, a store and the idempotency secret. Every read finds it. */
const item = (nowMs: number) =>
  ({
    id: ID,
    storeId: ID,
    mode: 'test',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: nowMs + DAY_MS,
    keyId: ID,
    limit: 100,
    windowSeconds: 60,
    emissionIntervalMicros: 600_000,
    tatMicros: nowMs * 1_000,
    status: 'waiting_payment',
    customerInfo: { firstName: 'Warm', lastName: 'Up', email: 'warm.up@example.com' },
    productId: ID,
    productName: 'Warm-up',
    price: { amount: 49.9, currency: 'EUR' },
    redirectUrl: 'https://shop.example.com/thanks?cart={CART_ID}',
    meta: { orderId: '4711' },
    requestFingerprint: ID,
    name: 'Warm-up',
    available: true,
    currency: 'EUR',
    pricing: { type: 'fixed', amount: 49.9 },
    secret: new Uint8Array(32),
  }) satisfies StoredApiKey & Cart & Product & Store & { readonly secret: Uint8Array };

/** The JSON of a response to each operation: the conditional update takes a token, and every read finds the item. */
const responsesAt = (nowMs: number): Readonly<Record<string, string>> => {
  const found = marshall(item(nowMs));
  return {
    UpdateItem: toJson({ Attributes: found }),
    GetItem: toJson({ Item: found }),
    PutItem: '{}',
    Query: '{"Items":[],"Count":0}',
  };
};

/** A transport that responds as DynamoDB does, without any connection. */
export const createWarmUpTransport = (nowMs: number): Transport => {
  const responses = responsesAt(nowMs);
  const headers = { date: new Date(nowMs).toUTCString(), 'x-amzn-requestid': ID };
  return {
    send: ({ headers: sent }) => {
      const target = sent[sent.indexOf('x-amz-target') + 1];
      const body = responses[target?.split('.')[1] ?? ''] ?? '{}';
      return Promise.resolve({ statusCode: 200, headers, body });
    },
    close: () => undefined,
  };
};

/** The headers of a request that every HTTP function accepts. Each function reads the parts that it needs. */
const headers = () => ({
  Authorization: `Bearer ${generateApiKey('test')}`,
  'Content-Type': 'application/json',
  'Accept-Language': 'en',
  'Idempotency-Key': ID,
});

const BODY = JSON.stringify({
  productDocumentId: ID,
  firstName: 'Warm',
  lastName: 'Up',
  email: 'warm.up@example.com',
  phone: '+33612345678',
  redirectURL: 'https://shop.example.com/thanks?cart={CART_ID}',
  meta: { orderId: '4711' },
});

/** The event of API Gateway for such a request. A handler may change it. */
export const warmUpEvent = (nowMs: number): APIGatewayProxyEvent =>
  ({
    httpMethod: 'GET',
    headers: headers(),
    multiValueHeaders: {},
    pathParameters: { cartId: ID },
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    body: BODY,
    isBase64Encoded: false,
    requestContext: {
      requestId: WARM_UP_REQUEST_ID,
      requestTimeEpoch: nowMs,
      identity: { sourceIp: '192.0.2.1' },
    },
  }) as unknown as APIGatewayProxyEvent;

export const WARM_UP_CONTEXT = { getRemainingTimeInMillis: () => 6_000 } as Context;
