import { describe, expect, it } from 'vitest';
import { idempotencyKeySchema } from '../../../lib/idempotency/idempotency-key.ts';

describe('an idempotency key', () => {
  it.each(['x', '~', 'a b', 'a  b', '8e03978e-40d5-43dd-bc93-6894a57f9324', 'x'.repeat(255)])(
    'is accepted: %j',
    (key) => {
      expect(idempotencyKeySchema.parse(key)).toBe(key);
    },
  );

  it.each([' a b', 'a b\t ', '\t a b', `${' '.repeat(300)}a b`])(
    'has no white space at its ends, whether or not the gateway removed it: %j',
    (value) => {
      expect(idempotencyKeySchema.parse(value)).toBe('a b');
    },
  );

  it.each(['', ' ', '\t', 'a\u00a0', 'x'.repeat(256), 'a\tb', 'a\n', '\u007f', 'é', '\u0000'])(
    'is rejected: %j',
    (key) => {
      expect(idempotencyKeySchema.safeParse(key).success).toBe(false);
    },
  );
});
