import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { listen } from '../../../../infra/local/gateway/listen.ts';
import { apiKeyId, generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { toCartItem } from '../../../../lib/carts/cart-item.ts';
import { selfSigned } from '../../../support/http/self-signed.ts';
import { AMPLE_LIMITS, benchCart, cartIdOf, keyItem, PRODUCT } from '../support/items.ts';
import { serve } from '../support/worker.ts';

const DELAY_MS = 2;

/** The address of the stub, its certificate, its API key, and the id of its cart. */
export interface Stub {
  readonly endpoint: string;
  /** Its certificate, as PEM. */
  readonly certificate: string;
  readonly apiKey: string;
  readonly cartId: string;
}

const apiKey = generateApiKey('test');
const cartId = cartIdOf(1);

const ITEMS: Readonly<Record<string, object & { readonly id?: unknown }>> = {
  [LOCAL_TABLE_NAMES.products]: PRODUCT,
  [LOCAL_TABLE_NAMES.testCarts]: toCartItem(benchCart(cartId, Date.now())),
  [LOCAL_TABLE_NAMES.secrets]: { id: 'idempotent-cart-ids', secret: new Uint8Array(32) },
};

/** The JSON of a response. Bytes are base64. */
const toJson = (response: object): string =>
  JSON.stringify(response, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );

const marshalled = (item: object | undefined) => item && marshall(item, { removeUndefinedValues: true });

const takenKey = toJson({
  Attributes: marshalled(keyItem(apiKey, AMPLE_LIMITS, Date.now(), AMPLE_LIMITS.limit / 2)),
});

const unknownKey = toJson({
  __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
  message: 'The conditional request failed',
});

/** The part of a call that decides its response. */
interface Call {
  readonly TableName: string;
  readonly Key?: { readonly keyId?: { readonly S: string }; readonly id?: { readonly S: string } };
}

/** The item of a key. Init asks for items that do not exist. */
const itemOf = ({ TableName, Key }: Call): object | undefined => {
  const item = ITEMS[TableName];
  return item && Key?.id?.S === item.id ? item : undefined;
};

/** The response to each operation of DynamoDB that the functions call, as JSON. */
const RESPONSES: Readonly<Record<string, (call: Call) => string>> = {
  UpdateItem: ({ Key }) => (Key?.keyId?.S === apiKeyId(apiKey) ? takenKey : unknownKey),
  GetItem: (call) => toJson({ Item: marshalled(itemOf(call)) }),
  PutItem: () => '{}',
};

/** Responds to a call after {@link DELAY_MS}. */
const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const operation = String(request.headers['x-amz-target']).replace(/^.*\./, '');
  const text = RESPONSES[operation]!(JSON.parse(Buffer.concat(chunks).toString()) as Call);
  await wait(DELAY_MS);
  response.writeHead(text === unknownKey ? 400 : 200, {
    'Content-Type': 'application/x-amz-json-1.0',
    'Content-Length': Buffer.byteLength(text),
    'x-amzn-RequestId': 'STUB',
  });
  response.end(text);
};

const certificate = await selfSigned('localhost');

/** Responds over TLS as DynamoDB does to the calls of the functions. */
const server = createServer(certificate, (request, response) => void respond(request, response));

const port = await listen(server, 'localhost', 0);

serve((): Promise<Stub> =>
  Promise.resolve({ endpoint: `https://localhost:${port}`, certificate: certificate.cert, apiKey, cartId }),
);
