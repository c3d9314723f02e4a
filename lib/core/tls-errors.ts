/** Why OpenSSL rejects a certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes, without those of lists. */
const REJECTED_CERTIFICATE: ReadonlySet<string> = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether a TLS handshake failed, as with a server that speaks plain HTTP or has no valid certificate. */
export const isTlsFailure = (error: unknown): error is Error & { readonly code: string } => {
  if (!(error instanceof Error && 'code' in error)) return false;
  const code = String(error.code);
  // Node.js has a code for each of the errors of OpenSSL.
  return code === 'EPROTO' || /^ERR_(?:SSL|TLS)_/.test(code) || REJECTED_CERTIFICATE.has(code);
};
