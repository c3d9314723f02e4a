import * as z from 'zod';
import { CREATED, order, type Program } from '../support/program.ts';

const schema = z.object({
  cart: z.looseObject({
    id: z.uuid(),
    status: z.enum(['waiting_payment', 'completed', 'abandoned', 'payment_failed']),
  }),
  redirectUrl: z.url(),
});

/**
 * TypeScript, a zod schema: an id, a status of four, and a payment address that is a URL. Further fields pass.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: ({ body }) => schema.safeParse(body).success,
  sees: true,
};
