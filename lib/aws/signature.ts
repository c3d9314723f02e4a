import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** An AWS access key. A temporary one has a session token. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The scope of a signature: one service in one region. */
export interface Scope {
  readonly region: string;
  /** The service's signing name, such as `dynamodb`. */
  readonly service: string;
}

export interface SignedRequest {
  /** Its percent-encoded path. Default: `/` */
  readonly path?: string;
  /** The headers to sign: their names in lower case and sorted, their values without spaces at the ends. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

let lastTimestamp = { second: Number.NaN, text: '' };

/** The time of a signature, such as `20260115T123000Z`. */
export const signatureTimestamp = (nowMs: number): string => {
  const second = Math.floor(nowMs / 1_000);
  if (second !== lastTimestamp.second) {
    const text = new Date(second * 1_000).toISOString().replaceAll(/[-:]|\.000/g, '');
    lastTimestamp = { second, text };
  }
  return lastTimestamp.text;
};

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const deriveKey = (secret: string, date: string, { region, service }: Scope): KeyObject =>
  createSecretKey(hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), service), 'aws4_request'));

/** A process calls at most three services. Further keys are of an earlier day or of earlier credentials. */
const CACHED_KEYS_MAX = 8;

const cachedKeys = new Map<string, KeyObject>();

/** The signing key, which changes once a day. Its derivation takes four of the five HMACs of a signature. */
const signingKey = (secret: string, date: string, scope: Scope): KeyObject => {
  const id = `${date}/${scope.region}/${scope.service}/${secret}`;
  const cached = cachedKeys.get(id);
  if (cached) return cached;
  const derived = deriveKey(secret, date, scope);
  if (cachedKeys.size >= CACHED_KEYS_MAX) cachedKeys.clear();
  cachedKeys.set(id, derived);
  return derived;
};

/** AWS encodes each segment of the encoded path once more. */
const canonicalPath = (path = '/'): string =>
  path === '/' ? path : path.split('/').map(encodeURIComponent).join('/');

/**
 * The `Authorization` header of a POST request without a query, by Signature Version 4 (IAM User Guide, "Create a signed AWS
 * API request").
 *
 * @param timestamp the value of the request's `x-amz-date` header
 */
export const authorization = (
  { path, headers, body }: SignedRequest,
  { accessKeyId, secretAccessKey }: Credentials,
  scope: Scope,
  timestamp: string,
): string => {
  let canonicalHeaders = '';
  let names = '';
  for (const [name, value] of headers) {
    canonicalHeaders += `${name}:${value}\n`;
    names += names === '' ? name : `;${name}`;
  }
  const canonicalRequest = `POST\n${canonicalPath(path)}\n\n${canonicalHeaders}\n${names}\n${hash('sha256', body)}`;
  const date = timestamp.slice(0, 8);
  const credentialScope = `${date}/${scope.region}/${scope.service}/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${timestamp}\n${credentialScope}\n${hash('sha256', canonicalRequest)}`;
  const signature = createHmac('sha256', signingKey(secretAccessKey, date, scope))
    .update(text)
    .digest('hex');
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${credentialScope}, SignedHeaders=${names}, Signature=${signature}`;
};
