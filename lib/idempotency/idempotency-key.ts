import * as z from 'zod/mini';
import { string } from '../schemas/input-fields.ts';

/**
 * The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). Its bounds are a decision of this service. White
 * space at the ends is no part of a header's value (RFC 9110, 5.5), whether or not the gateway has removed it.
 */
export const idempotencyKeySchema = string().check(
  z.overwrite((key) => (/^[\t\x20-\x7e]*$/.test(key) ? key.trim() : key)),
  z.regex(/^[\x20-\x7e]{1,255}$/, 'Must be 1 to 255 printable ASCII characters'),
  z.meta({ minLength: 1, maxLength: 255 }),
);

/** The names of the header in other APIs (`lib/requests/foreign-names.ts`). */
export const IDEMPOTENCY_FOREIGN_NAMES =
  'idempotency idempotencytoken idempotencyid idempotentkey paypalrequestid';
