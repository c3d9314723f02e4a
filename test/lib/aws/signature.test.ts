import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorization, signatureTimestamp } from '../../../lib/aws/signature.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const VERSION_ARN = 'arn:aws:lambda:eu-west-1:123456789012:function:get-cart_1:7';
const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET };
const TIMESTAMP = '20150830T123600Z';
const HOST = ['host', 'example.amazonaws.com'] as const;
const DATE = ['x-amz-date', TIMESTAMP] as const;

describe('a signature', () => {
  // AWS's test suite of Signature Version 4: its requests to `POST /`.
  it.each([
    ['post-vanilla', [HOST, DATE], '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-header-key-sort',
      [HOST, ['my-header1', 'value1'], DATE],
      '',
      'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
    ],
    [
      'post-x-www-form-urlencoded',
      [['content-type', 'application/x-www-form-urlencoded'], HOST, DATE],
      'Param1=value1',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ] as const)('is that of AWS for %s', (_, headers, body, signature) => {
    const scope = { region: 'us-east-1', service: 'service' };
    expect(authorization({ headers, body }, CREDENTIALS, scope, TIMESTAMP)).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        `SignedHeaders=${headers.map(([name]) => name).join(';')}, Signature=${signature}`,
    );
  });

  it('is that of the SDK for any time, region, credentials and body', async () => {
    const request = fc.record({
      nowMs: fc.integer({ min: 0, max: 4_102_444_799_999 }),
      region: fc.constantFrom('eu-west-1', 'us-east-1'),
      service: fc.constantFrom('dynamodb', 'sqs', 'events'),
      // The path of an invocation has the ARN of a version, percent-encoded.
      path: fc.constantFrom('/', `/2015-03-31/functions/${encodeURIComponent(VERSION_ARN)}/invocations`),
      // Few secrets, so that a cached key is used again.
      secretAccessKey: fc.constantFrom(SECRET, 'é', 'other'),
      sessionToken: fc.option(fc.stringMatching(/^[\w/+=]{1,40}$/), { nil: undefined }),
      body: fc.string({ unit: 'grapheme' }),
    });
    await fc.assert(
      fc.asyncProperty(
        request,
        async ({ nowMs, region, service, path, secretAccessKey, sessionToken, body }) => {
          const credentials = {
            accessKeyId: 'AKIDEXAMPLE',
            secretAccessKey,
            ...(sessionToken && { sessionToken }),
          };
          const signer = new SignatureV4({
            credentials,
            region,
            service,
            sha256: Sha256,
            applyChecksum: false,
          });
          const headers = {
            host: 'a.example',
            'x-amz-target': 'A.B',
            'content-type': 'application/x-amz-json-1.0',
          };
          const sent = { method: 'POST', protocol: 'https:', hostname: 'a.example', path, headers, body };
          const { headers: signed } = await signer.sign(sent, { signingDate: new Date(nowMs) });
          const timestamp = signatureTimestamp(nowMs);
          const lean = Object.entries({
            ...headers,
            'x-amz-date': timestamp,
            ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
          }).toSorted(([a], [b]) => (a < b ? -1 : 1));
          expect(timestamp).toBe(signed['x-amz-date']);
          expect(
            authorization({ path, headers: lean, body }, credentials, { region, service }, timestamp),
          ).toBe(signed['authorization']);
        },
      ),
      { numRuns: 100 },
    );
  });
});
