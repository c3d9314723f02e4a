import { createHmac } from 'node:crypto';

/** The HMAC-SHA256 of texts under a secret of the stage. Nobody without the secret can compute it. */
export const keyedHash = (secret: Uint8Array, texts: readonly string[]): Buffer =>
  // JSON separates the texts unambiguously.
  createHmac('sha256', secret).update(JSON.stringify(texts)).digest();
