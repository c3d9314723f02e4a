import { randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0.0, "Signature scheme": the prefix, and base64 of 24 to 64 random bytes. */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Generates the text of a signing secret. */
export const generateSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The key of HMAC-SHA256 in the text of a signing secret. */
export const secretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
