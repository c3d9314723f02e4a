import { createHash } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { HttpRequest } from '@smithy/core/protocols';
import type { WireRequest } from './wire-request.ts';

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/]+)\/[a-z]+\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** Without these, a thief could send the request elsewhere, at another time or for another operation. */
const HEADERS_TO_SIGN = ['host', 'x-amz-date', 'x-amz-target'];

const CHECKSUM = 'x-amz-content-sha256';

/** `20260115T123000Z` as a date. */
export const signingDateOf = (timestamp = ''): Date =>
  new Date(timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Returns what is wrong with the signature of a request, or `undefined` if the SDK's own signer makes the same one. */
export type VerifySignature = (request: WireRequest) => Promise<string | undefined>;

/**
 * Creates a function that verifies signatures with the SDK's signer.
 *
 * @param client a client of the SDK for the service, with the credentials and the region of the requests
 */
export const signatureVerifier = (client: Pick<DynamoDBClient, 'config'>): VerifySignature => {
  const signer = client.config.signer();
  return async ({ line, headers, body }) => {
    const { authorization = '', [CHECKSUM]: checksum } = headers;
    const [, , , , signedNames = ''] = AUTHORIZATION.exec(authorization) ?? [];
    const signed = new Set(signedNames.split(';'));
    const unsigned = HEADERS_TO_SIGN.filter((name) => !signed.has(name));
    if (unsigned.length > 0) return `it covers no ${unsigned.join(', ')}: ${JSON.stringify(authorization)}`;
    if (checksum !== undefined && checksum !== createHash('sha256').update(body).digest('hex')) {
      return `${CHECKSUM} is not the hash of the body`;
    }
    const [method = '', path = ''] = line.split(' ');
    // The signer adds the header, unless it is there.
    const names = new Set(checksum === undefined ? [...signed] : [...signed, CHECKSUM]);
    const request = new HttpRequest({
      method,
      path,
      headers: Object.fromEntries([...names].map((name) => [name, headers[name] ?? ''])),
      body: new Uint8Array(body),
    });
    const again = await (
      await signer
    ).sign(request, {
      signingDate: signingDateOf(headers['x-amz-date']),
      signableHeaders: signed,
      unsignableHeaders: signed.has(CHECKSUM) ? new Set() : new Set([CHECKSUM]),
    });
    const expected = again.headers['authorization'];
    return expected === authorization ? undefined : `the SDK signs ${expected}, the client ${authorization}`;
  };
};
