// SPDX-License-Identifier: MIT-0
import { createHash, createHmac } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The headers that sign a GET request for IAM (Signature Version 4). The address must have no query, and its path no
 * character that needs escaping.
 *
 * @param service `execute-api` for API Gateway
 */
export const signedHeaders = (
  url: URL,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  { region, service, now }: { readonly region: string; readonly service: string; readonly now: Date },
): Record<string, string> => {
  const time = now.toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    host: url.host,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = ['GET', url.pathname, '', lines.join(''), names, sha256('')].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n')).toString('hex');
  const credential = `Credential=${accessKeyId}/${scope}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
};
