import { expect, it } from 'vitest';
import { isTlsFailure } from '../../../lib/core/tls-errors.ts';

it.each<[code: string, boolean]>([
  ['EPROTO', true],
  ['ERR_SSL_WRONG_VERSION_NUMBER', true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true],
  ['CERT_HAS_EXPIRED', true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['INVALID_CA', true],
  ['ECONNREFUSED', false],
  ['ETIMEDOUT', false],
])('an error with the code %s is one of TLS: %s', (code, isTls) => {
  expect(isTlsFailure(Object.assign(new Error('any'), { code }))).toBe(isTls);
});
