// SPDX-License-Identifier: MIT-0
import { createHmac, timingSafeEqual } from 'node:crypto';

/** An older webhook may be a captured one that an attacker sends again. */
const TOLERANCE_SECONDS = 300;

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/** HMAC-SHA256 of `{timestamp}.{body}`, in hexadecimal digits. */
export const signatureOf = (timestamp: string, body: Buffer, secret: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/**
 * Whether the provider signed a webhook within the last five minutes.
 *
 * @param header `Acme-Signature`, such as `t=1795174438,v1={hex}`. It may have several `v1`
 * @param body the bytes as they arrived, not parsed and serialised again
 * @param secrets more than one while the secret changes
 */
export const isSigned = (
  header: string,
  body: Buffer,
  { secrets, nowMs }: { readonly secrets: readonly string[]; readonly nowMs: number },
): boolean => {
  const fields = header.split(',').map((field) => field.trim().split('=', 2));
  const valuesOf = (wanted: string) =>
    fields.filter(([name]) => name === wanted).map(([, value = '']) => value);
  const [timestamp = ''] = valuesOf('t');
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const signatures = valuesOf('v1').filter((signature) => HEX_SHA256.test(signature));
  return secrets.some((secret) => {
    const expected = Buffer.from(signatureOf(timestamp, body, secret), 'hex');
    // The time does not depend on the place of the first difference.
    return signatures.some((signature) => timingSafeEqual(Buffer.from(signature, 'hex'), expected));
  });
};
