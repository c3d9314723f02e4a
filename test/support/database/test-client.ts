import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localClientConfig } from '../../../infra/local-access/local-names.ts';
import { createDocumentClient } from '../../../lib/aws/clients.ts';

type AuthScheme = NonNullable<DynamoDBClientConfig['httpAuthSchemes']>[number];

const SCHEME = 'aws.auth#sigv4';

/** The emulator wants a signature, and verifies none. */
const HEADERS = {
  authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
  'x-amz-date': '20260101T000000Z',
};

const UNSIGNED: AuthScheme = {
  schemeId: SCHEME,
  identityProvider: (config) => config.getIdentityProvider(SCHEME),
  signer: {
    sign: async (request) => Object.assign(request, { headers: { ...request.headers, ...HEADERS } }),
  },
};

/**
 * A document client on the emulator of a test. It signs nothing: a signature takes a third of a call's CPU time.
 * `test/lib/aws` and the tests of the local stage have clients that sign.
 */
export const createTestClient = (endpoint: string): DynamoDBDocumentClient =>
  createDocumentClient({ ...localClientConfig(endpoint), httpAuthSchemes: [UNSIGNED] });
